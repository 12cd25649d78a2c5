/**
 * The requests and answers of the fifteen endpoints, as a merchant's program writes and reads them: derived from the
 * schemas that validate the service's requests and that its OpenAPI document is made of.
 */
import type { z } from "zod";
import type { ErrorCode, ErrorRow } from "../domain/errors.ts";
import type { serviceCalls } from "../domain/service-calls.ts";
import type { answers } from "../http/document/answers.ts";
import type { tokenRequest } from "../http/token.ts";
import type { infractionsQuery, listRequest } from "../service/account-reads.ts";
import type { cashinRequest } from "../service/cashin.ts";
import type { cashoutRequest } from "../service/cashout.ts";
import type { conversionQuery, conversionRequest } from "../service/conversions.ts";
import type { transferRequest } from "../service/transfers.ts";
import type { walletRequest } from "../service/wallets.ts";
import type { Forms, Input } from "./wire.ts";

/** Method and path of an endpoint: `"POST /v2/transactions/cashin"`. */
export type ServiceCall = (typeof serviceCalls)[number];

/** The body of `POST /v2/oauth/token`. */
export type TokenRequest = Input<ReturnType<typeof tokenRequest>>;
/** The body of `POST /v2/transactions/cashin`. */
export type CashinRequest = Input<ReturnType<typeof cashinRequest>>;
/** The body of `POST /v2/transactions/cashout`. */
export type CashoutRequest = Input<ReturnType<typeof cashoutRequest>>;
/** The body of `POST /v2/transactions/wallet`. */
export type WalletRequest = Input<ReturnType<typeof walletRequest>>;
/** The body of `POST /v2/internal_transfers/payment`. */
export type TransferRequest = Input<ReturnType<typeof transferRequest>>;
/** The body of `POST /v2/conversions/rate`. */
export type RateRequest = Input<ReturnType<typeof conversionQuery>>;
/** The body of `POST /v2/conversions/simulate`. */
export type SimulationRequest = Input<ReturnType<typeof conversionQuery>>;
/** The body of `POST /v2/conversions/new`. */
export type ConversionRequest = Input<ReturnType<typeof conversionRequest>>;
/** The body of `POST /v2/account/transactions/list`. */
export type TransactionListRequest = Input<ReturnType<typeof listRequest>>;

/** The query of `GET /v2/account/balance`. */
export interface BalanceRequest {
  readonly currency?: string | undefined;
}

/** The query of `GET /v2/account/infractions`. */
export type InfractionListRequest = Omit<Input<ReturnType<typeof infractionsQuery>>, "page" | "page_size"> & {
  page?: number | undefined;
  page_size?: number | undefined;
};

/** The form of `POST /v2/account/infractions/reply`: a text and up to five files (PDF, PNG or JPEG). */
export interface InfractionReplyRequest {
  readonly infraction_id: string;
  readonly text: string;
  readonly files?: readonly File[] | undefined;
}

type Answer<Name extends keyof typeof answers> = Forms<z.infer<(typeof answers)[Name]>>;

/** The `data` that `POST /v2/oauth/token` answers. */
export type TokenAnswer = Answer<"token">;
/** The `data` that `POST /v2/transactions/cashin` answers. */
export type CashinAnswer = Answer<"cashin">;
/** The `data` that `POST /v2/transactions/cashout` answers. */
export type CashoutAnswer = Answer<"cashout">;
/** The `data` that `POST /v2/transactions/wallet` answers. */
export type WalletAnswer = Answer<"wallet">;
/** The `data` that `POST /v2/internal_transfers/payment` answers. */
export type TransferAnswer = Answer<"transfer">;
/** The `data` that `POST /v2/conversions/rate` answers. */
export type RateAnswer = Answer<"rate">;
/** The `data` that `POST /v2/conversions/simulate` answers. */
export type SimulationAnswer = Answer<"simulation">;
/** The `data` that `POST /v2/conversions/new` answers. */
export type ConversionAnswer = Answer<"conversion">;
/** The `data` that `GET /v2/account/balance` answers. */
export type BalanceAnswer = Answer<"balance">;
/** The `data` that `GET /v2/account/info/profile` answers. */
export type ProfileAnswer = Answer<"profile">;
/** The `data` that `GET /v2/account/fees` answers. */
export type FeesAnswer = Answer<"fees">;
/** The `data` that `GET /v2/account/limits` answers. */
export type LimitsAnswer = Answer<"limits">;
/** The `data` that `POST /v2/account/transactions/list` answers. */
export type TransactionListAnswer = Answer<"transactions">;
/** The `data` that `GET /v2/account/infractions` answers. */
export type InfractionListAnswer = Answer<"infractions">;
/** The `data` that `POST /v2/account/infractions/reply` answers. */
export type InfractionReplyAnswer = Answer<"reply">;

/** The request of an endpoint that takes neither a body nor a query. */
export type NoRequest = Readonly<Record<string, never>>;

/** TABLE: the request of each endpoint: a JSON body, a query or a form. */
export interface ServiceRequests {
  readonly "POST /v2/oauth/token": TokenRequest;
  readonly "POST /v2/transactions/cashin": CashinRequest;
  readonly "POST /v2/transactions/cashout": CashoutRequest;
  readonly "POST /v2/transactions/wallet": WalletRequest;
  readonly "POST /v2/internal_transfers/payment": TransferRequest;
  readonly "POST /v2/conversions/rate": RateRequest;
  readonly "POST /v2/conversions/simulate": SimulationRequest;
  readonly "POST /v2/conversions/new": ConversionRequest;
  readonly "GET /v2/account/balance": BalanceRequest;
  readonly "GET /v2/account/info/profile": NoRequest;
  readonly "GET /v2/account/fees": NoRequest;
  readonly "GET /v2/account/limits": NoRequest;
  readonly "POST /v2/account/transactions/list": TransactionListRequest;
  readonly "GET /v2/account/infractions": InfractionListRequest;
  readonly "POST /v2/account/infractions/reply": InfractionReplyRequest;
}

/** TABLE: the `data` of each endpoint's answer. */
export interface ServiceAnswers {
  readonly "POST /v2/oauth/token": TokenAnswer;
  readonly "POST /v2/transactions/cashin": CashinAnswer;
  readonly "POST /v2/transactions/cashout": CashoutAnswer;
  readonly "POST /v2/transactions/wallet": WalletAnswer;
  readonly "POST /v2/internal_transfers/payment": TransferAnswer;
  readonly "POST /v2/conversions/rate": RateAnswer;
  readonly "POST /v2/conversions/simulate": SimulationAnswer;
  readonly "POST /v2/conversions/new": ConversionAnswer;
  readonly "GET /v2/account/balance": BalanceAnswer;
  readonly "GET /v2/account/info/profile": ProfileAnswer;
  readonly "GET /v2/account/fees": FeesAnswer;
  readonly "GET /v2/account/limits": LimitsAnswer;
  readonly "POST /v2/account/transactions/list": TransactionListAnswer;
  readonly "GET /v2/account/infractions": InfractionListAnswer;
  readonly "POST /v2/account/infractions/reply": InfractionReplyAnswer;
}

interface Success<Data> {
  readonly success: true;
  readonly data: Data;
}

interface Stamped {
  readonly request_id: string;
  readonly timestamp: string;
}

/** The whole body of a success. The token also stands beside `data` (`D10`); a rate has no stamps (`D28`). */
export type ServiceResponse<Call extends ServiceCall> = Call extends "POST /v2/conversions/rate"
  ? Success<ServiceAnswers[Call]>
  : Call extends "POST /v2/oauth/token"
    ? Success<ServiceAnswers[Call]> & Stamped & TokenAnswer
    : Success<ServiceAnswers[Call]> & Stamped;

/** The whole body of a refusal (`D29`). */
export interface ServiceFailure {
  readonly success: false;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly group: ErrorRow["group"];
    readonly retryable: boolean;
  };
}
