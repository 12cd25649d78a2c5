/**
 * TABLE: what the specification leaves open, and how the sandbox answers. `docs/settings.md` is generated from this
 * list, and tests check it against the settings and the OpenAPI document.
 */
import { accountDecisions } from "./decisions/accounts.ts";
import type { DecisionChapter } from "./decisions/decision.ts";
import { disputeDecisions, holdingDecisions } from "./decisions/holdings.ts";
import { moneyDecisions } from "./decisions/money.ts";
import { operationDecisions } from "./decisions/operations.ts";
import { requestDecisions } from "./decisions/requests.ts";
import { webhookDecisions } from "./decisions/webhooks.ts";

/** The chapters, one per subject, in the order of the numbers of their rows. */
export const decisionChapters: readonly DecisionChapter[] = [
  moneyDecisions,
  accountDecisions,
  requestDecisions,
  operationDecisions,
  holdingDecisions,
  disputeDecisions,
  webhookDecisions,
];

/** All decisions, in the order of the chapters. */
export const decisions = decisionChapters.flatMap((chapter) => chapter.decisions);
