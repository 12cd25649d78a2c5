/**
 * TABLE: what the specification leaves open, and how the sandbox answers: the project's own list, which the page
 * `docs/settings.md` is made of and tests hold to the settings and to the OpenAPI document.
 */
import { accountDecisions } from "./decisions/accounts.ts";
import type { DecisionChapter } from "./decisions/decision.ts";
import { disputeDecisions, holdingDecisions } from "./decisions/holdings.ts";
import { moneyDecisions } from "./decisions/money.ts";
import { operationDecisions } from "./decisions/operations.ts";
import { requestDecisions } from "./decisions/requests.ts";
import { webhookDecisions } from "./decisions/webhooks.ts";

/** By subject, in the order of the specification. */
export const decisionChapters: readonly DecisionChapter[] = [
  moneyDecisions,
  accountDecisions,
  requestDecisions,
  operationDecisions,
  holdingDecisions,
  disputeDecisions,
  webhookDecisions,
];

/** All of them, chapter by chapter. */
export const decisions = decisionChapters.flatMap((chapter) => chapter.decisions);
