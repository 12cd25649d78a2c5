/** The entry point: opens the world at the page's address. */
import { render } from "preact";
import { App } from "./app.tsx";
import { Session, SessionContext } from "./live/session.ts";
import "./theme.ts";
import "./styles/index.css";

const session = new Session();
const root = document.getElementById("root");
if (root) {
  render(
    <SessionContext.Provider value={session}>
      <App />
    </SessionContext.Provider>,
    root,
  );
}
void session.open();
