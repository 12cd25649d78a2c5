/**
 * TABLE: the schemas of the control interface's answers, by the names that its rows give them. The OpenAPI document is
 * made of them, and the fuzz test checks every answer against it; nothing reads them to serve a call.
 */
import { z } from "zod";
import { bundleSchema } from "../../history/bundle-schema.ts";
import { page } from "./answer-fields.ts";
import { coverage, explanation, fault, faults, report, scenario } from "./answers-insight.ts";
import { entry, inboxItem, ledger, ledgerCheck, posting, request, webhook } from "./answers-records.ts";
import { conversion, detailOf, dispute, transaction, transfer, wallet } from "./answers-resources.ts";
import {
  account,
  advance,
  blockedIps,
  changedCredential,
  clock,
  createdWorld,
  credential,
  health,
  rates,
  replay,
  settings,
  snapshot,
  timer,
  world,
  worldSummary,
} from "./answers-world.ts";

/** Parts of answers that are components with names of their own. */
export const answerParts = {
  JournalEntry: entry,
  Posting: posting,
  Timer: timer,
  InboxItem: inboxItem,
  WorldSummary: worldSummary,
  Settings: settings,
  Replay: replay,
  Transaction: transaction,
  Conversion: conversion,
  Transfer: transfer,
  Wallet: wallet,
  Dispute: dispute,
} as const;

/** Answers that are JSON. */
export const controlAnswers = {
  World: world,
  CreatedWorld: createdWorld,
  WorldPage: page(worldSummary),
  Snapshot: snapshot,
  SnapshotPage: page(snapshot),
  Bundle: bundleSchema(),
  Health: health,
  OpenApi: z.looseObject({ openapi: z.string().regex(/^3\.1\.0$/) }),
  Clock: clock,
  Advance: advance,
  TimerPage: page(timer),
  Account: account,
  AccountPage: page(account),
  Credential: credential,
  ChangedCredential: changedCredential,
  BlockedIps: blockedIps,
  Rates: rates,
  TransactionPage: page(transaction),
  TransactionDetail: detailOf(transaction),
  ConversionPage: page(conversion),
  ConversionDetail: detailOf(conversion),
  TransferPage: page(transfer),
  TransferDetail: detailOf(transfer),
  WalletPage: page(wallet),
  WalletDetail: detailOf(wallet),
  DisputePage: page(dispute),
  DisputeDetail: detailOf(dispute),
  Webhook: webhook,
  WebhookPage: page(webhook),
  InboxPage: page(inboxItem),
  Request: request,
  RequestPage: page(request),
  JournalPage: page(entry),
  LedgerPage: ledger,
  LedgerCheck: ledgerCheck,
  Explanation: explanation,
  Report: report,
  Coverage: coverage,
  Scenario: scenario,
  ScenarioPage: page(scenario),
  Fault: fault,
  Faults: faults,
} as const;

/** TABLE: answers that are not JSON, by media type. */
export const otherAnswers = {
  JournalStream: {
    medias: ["text/event-stream"],
    description:
      "Server-sent events: `id` the sequence of a journal entry, `event` its kind, `data` the entry as JSON.",
  },
  DisputeFile: { medias: ["application/pdf", "image/png", "image/jpeg"], description: "The file, as an attachment." },
} as const;

/** The names of what calls answer. */
export type ControlAnswerName = keyof typeof controlAnswers | keyof typeof otherAnswers;
