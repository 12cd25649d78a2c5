/** Calls of the service: what came, what was answered, and what there is to say about it. */
import { useAnswer } from "../live/answer.ts";
import { topicOf } from "../live/topics.ts";
import { Cell } from "../parts/cells.tsx";
import { Body, Headers } from "../parts/code.tsx";
import { Detail, Fields, Folded, Section, when } from "../parts/detail.tsx";
import { FirstCharge } from "../parts/lessons.tsx";
import { ListView } from "../parts/list-view.tsx";
import { HttpStatus, State } from "../parts/state.tsx";
import { Story } from "../parts/story.tsx";
import { Instant } from "../parts/times.tsx";
import { hashOf } from "../router.ts";
import type { ServiceRequest } from "../wire/answers.ts";

const chips = [
  { label: "refused", test: ({ status }: ServiceRequest) => status >= 400 },
  { label: "with findings", test: ({ findings }: ServiceRequest) => findings.length > 0 },
];

/** `#/requests`, the list of them. */
export function Requests() {
  return (
    <ListView<ServiceRequest>
      title="Requests"
      noun="request"
      path="/requests"
      topics={["requests"]}
      idOf={({ request_id }) => request_id}
      headings={["status", "call", "error", "findings", "credential", "at"]}
      className="requests"
      chips={chips}
      empty={<FirstCharge title="No call has come yet" />}
      cells={({ status, method, path, error_code, findings, client_id, at }) => (
        <>
          <Cell kind="state-cell">
            <HttpStatus status={status} />
          </Cell>
          <Cell kind="main call">
            <b>{method}</b>
            <span class="path" title={path}>
              <bdi>{path}</bdi>
            </span>
          </Cell>
          <Cell>{error_code}</Cell>
          <Cell only="wide">
            {[...new Set(findings.map(({ verdict }) => verdict))].map((verdict) => (
              <State key={verdict} state={verdict} />
            ))}
          </Cell>
          <Cell only="wide">
            <code>{client_id}</code>
          </Cell>
          <Cell kind="time">
            <Instant at={at} short />
          </Cell>
        </>
      )}
    />
  );
}

/** `#/requests/ID`: the call as it came, secrets masked, and as it was answered. */
export function RequestView({ id }: { id: string }) {
  const answer = useAnswer<ServiceRequest>(`/requests/${encodeURIComponent(id)}`, [topicOf(id), "report"]);
  const request = answer.value;
  if (!request) return <Detail icon="request" title="Request" id={id} error={answer.error} />;
  const { method, path, query, status, error_code, response, findings, headers, body } = request;
  return (
    <Detail
      icon="request"
      title={`${method} ${path}`}
      id={id}
      state={<HttpStatus status={status} />}
      error={answer.error}
    >
      <Findings findings={findings} />
      <Fields
        fields={[
          ["Error", error_code],
          ["Hint", response.headers["X-Sandbox-Hint"]],
          ["Query", query && <code>{query}</code>],
          ["Credential", request.client_id && <code>{request.client_id}</code>],
          ["From", <code key="ip">{request.ip}</code>],
          when("At", request.at),
        ]}
      />
      <Section title="Body">
        <Body text={body} what="body" />
      </Section>
      <Section title="Answer">
        <Body text={response.body} what="answer" />
      </Section>
      <Folded title="Request headers">
        <Headers headers={headers} />
      </Folded>
      <Folded title="Answer headers">
        <Headers headers={response.headers} />
      </Folded>
      <Story id={id} />
    </Detail>
  );
}

function Findings({ findings }: Pick<ServiceRequest, "findings">) {
  if (findings.length === 0) return null;
  return (
    <Section title="Findings" count={findings.length}>
      <ul class="plain">
        {findings.map(({ check, verdict, advice }) => (
          <li key={check} class="line">
            <State state={verdict} />
            <span class="grow">{advice}</span>
            <a href={hashOf("readiness")}>all checks</a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
