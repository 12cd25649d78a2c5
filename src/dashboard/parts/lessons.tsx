/** What empty views show: a command that fills them. */
import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { Command } from "./copy.tsx";

/** How to make a first charge, from token to call, with this world's credentials. */
export function FirstCharge({ title = "Nothing has been charged yet" }: { title?: string }) {
  const { control, info } = useSession();
  const base = `${location.origin}${control.base}`;
  const credential = useSignal(info)?.accounts[0]?.credentials[0];
  if (!credential) return null;
  const { client_id, client_secret } = credential;
  return (
    <>
      <h2>{title}</h2>
      <p>Make a first charge with the credentials of this world; it appears here as soon as it is made:</p>
      <Command
        text={`TOKEN=$(curl -s ${base}/v2/oauth/token \\
  -d client_id=${client_id} \\
  -d client_secret=${client_secret} |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

curl -s ${base}/v2/transactions/cashin \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"currency": "BRL", "amount": 150, "external_id": "order-1"}'`}
      />
    </>
  );
}

/** How to get webhooks without a receiver of one's own. */
export function UseInbox({ title, text }: { title: string; text: string }) {
  const username = useSignal(useSession().info)?.accounts[0]?.username;
  const call = `/_sandbox/accounts/${username}`;
  return <Lesson title={title} text={text} method="PATCH" call={call} body='{"postback_url": "sandbox://inbox"}' />;
}

interface LessonProps {
  readonly title: string;
  readonly text: string;
  /** A path below the world's base URL: `/_sandbox/wallets/1001/deposit`. */
  readonly call?: string;
  readonly body?: string;
  readonly method?: string;
}

/** Any other instruction; `call` is shown as a command. */
export function Lesson({ title, text, call, body, method }: LessonProps) {
  const { control } = useSession();
  const parts = [
    "curl -s",
    ...(control.hasToken ? ['-H "Authorization: Bearer $PAYMENTS_SANDBOX_CONTROL_TOKEN"'] : []),
    ...(method ? [`-X ${method}`] : []),
    `${location.origin}${control.base}${call}`,
    ...(body ? [`-d '${body}'`] : []),
  ];
  return (
    <>
      <h2>{title}</h2>
      <p>{text}</p>
      {call && <Command text={parts.join(" ")} />}
    </>
  );
}
