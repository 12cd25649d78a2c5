import { Sandbox } from "/work/main/src/host/sandbox.ts";
import { serve, serveTogether } from "/work/main/src/http/service-call.ts";
const onFault=(e)=>{console.error(e);process.exit(1)};
const sb = new Sandbox({ send: async()=>({}), concurrency:1, onFault }, null);
import { readSettings } from "/work/main/src/host/creation.ts"; import { readFileSync } from "node:fs";
const sc=["happy-path","magic-values"].map(f=>({file:f+".yaml",text:readFileSync("/work/main/scenarios/"+f+".yaml","utf8")}));
const live = sb.create({ id: "default", seed: 1, clock:{mode:"frozen",speed:1,start:Date.parse("2026-01-01T12:00:00Z")}, settings:readSettings({protections:"report",webhook_rate:1000000}), scenarios:sc, accounts:null, postback_url:null });
const world = live.world;
const h = { host:"127.0.0.1:1", "content-type":"application/json"};
const inc=(method,path,body,headers,query="")=>({method,path,query,headers,body:Buffer.from(body),bodyTooLarge:false,ip:"127.0.0.1",wallAt:Date.now(),sentAfter:null,inCompany:true});
const cred = [...world.accounts.credentials?.() ?? []][0];
const t = serve(world, inc("POST","/v2/oauth/token",JSON.stringify({client_id:"acme-71oz22pge4vkesg0",client_secret:"secret-883wkfwm3echdaaa90nwinmydkbc72pt"}),h), onFault);
const tok = JSON.parse(t.body).access_token;
const hh = {...h, authorization:"Bearer "+tok};
let n=0;
const cashin=()=>inc("POST","/v2/transactions/cashin",`{"currency":"BRL","amount":1.23,"external_id":"p-${n++}"}`,hh);
const balance=()=>inc("GET","/v2/account/balance","",hh,"currency=BRL");
const list=()=>inc("POST","/v2/account/transactions/list",`{"page":1,"page_size":20}`,hh);
const kind={cashin,balance,list}[process.argv[2]??"cashin"];
if (process.argv[2]==="list") for(let i=0;i<3000;i++) serve(world,cashin(),onFault);
async function round(count,batch){ const a=process.cpuUsage().user+process.cpuUsage().system, w=performance.now();
 for(let i=0;i<count;i+=batch){ let k; for(let j=0;j<batch;j++){ const {result,kept}=serveTogether(world,kind(),onFault); if(result.status!==200){console.log(result);process.exit(1)} k=kept;} await k; await new Promise(setImmediate);}
 const c=process.cpuUsage(); return [((performance.now()-w)*1000/count).toFixed(1), ((c.user+c.system-a)/count).toFixed(1)]; }
process.on("message",async([count,batch])=>{const [w,c]=await round(count,batch);process.send(+c)});process.send("ready");
