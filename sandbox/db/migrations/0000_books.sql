CREATE TABLE "clients" (
	"code" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"is_dormant" boolean DEFAULT false NOT NULL,
	"profile" jsonb NOT NULL,
	"failed_logins" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "corporate_actions" (
	"id" integer PRIMARY KEY NOT NULL,
	"instrument" text NOT NULL,
	"ex_day" date NOT NULL,
	"kind" text NOT NULL,
	"numerator" integer NOT NULL,
	"denominator" integer NOT NULL,
	"into_instrument" text,
	"cost_moved_bps" integer,
	"amount" bigint
);
--> statement-breakpoint
CREATE TABLE "disposals" (
	"id" bigint PRIMARY KEY NOT NULL,
	"lot_id" bigint NOT NULL,
	"client" text NOT NULL,
	"day" date NOT NULL,
	"quantity" integer NOT NULL,
	"kind" text NOT NULL,
	"proceeds" bigint NOT NULL,
	"cost" bigint,
	"expenses" bigint NOT NULL,
	"sale_expenses" bigint NOT NULL,
	"stt" bigint NOT NULL,
	"trade_id" bigint,
	"is_intraday" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dividends" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"instrument" text NOT NULL,
	"ex_day" date NOT NULL,
	"quantity" integer NOT NULL,
	"amount" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fundings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"instrument" text NOT NULL,
	"day" date NOT NULL,
	"amount" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"client" text NOT NULL,
	"key" text NOT NULL,
	"operation" text NOT NULL,
	"body_hash" text NOT NULL,
	"status" integer,
	"answer" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_client_key_pk" PRIMARY KEY("client","key")
);
--> statement-breakpoint
CREATE TABLE "instruments" (
	"id" text PRIMARY KEY NOT NULL,
	"symbol" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"segment" text NOT NULL,
	"sector" text NOT NULL,
	"series" text NOT NULL,
	"lot" integer DEFAULT 1 NOT NULL,
	"multiplier" integer DEFAULT 1 NOT NULL,
	"expiry" date,
	"strike" bigint,
	"option_type" text,
	"fmv_2018" bigint
);
--> statement-breakpoint
CREATE TABLE "lots" (
	"id" bigint PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"instrument" text NOT NULL,
	"segment" text NOT NULL,
	"side" text NOT NULL,
	"opened_on" date NOT NULL,
	"acquired_on" date NOT NULL,
	"quantity" integer NOT NULL,
	"cost" bigint,
	"expenses" bigint NOT NULL,
	"origin" text NOT NULL,
	"trade_id" bigint,
	"from_lot" bigint
);
--> statement-breakpoint
CREATE TABLE "note_charges" (
	"bill_no" text NOT NULL,
	"kind" text NOT NULL,
	"base" bigint NOT NULL,
	"rate" text NOT NULL,
	"amount" bigint NOT NULL,
	"rule" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notes" (
	"bill_no" text PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"day" date NOT NULL,
	"segment" text NOT NULL,
	"cocd" text NOT NULL,
	"settlement_no" text NOT NULL,
	"settles_on" date NOT NULL,
	"obligation" bigint NOT NULL,
	"net" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "origin" (
	"id" integer PRIMARY KEY NOT NULL,
	"seed" text NOT NULL,
	"day" date NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"channel" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pledge_movements" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"instrument" text NOT NULL,
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"quantity" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "postings" (
	"id" bigint PRIMARY KEY NOT NULL,
	"voucher_id" bigint NOT NULL,
	"account" text NOT NULL,
	"client" text,
	"cocd" text,
	"is_margin" boolean DEFAULT false NOT NULL,
	"day" date NOT NULL,
	"amount" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prices" (
	"instrument" text NOT NULL,
	"day" date NOT NULL,
	"close" bigint NOT NULL,
	CONSTRAINT "prices_instrument_day_pk" PRIMARY KEY("instrument","day")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"client" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"revoked_because" text
);
--> statement-breakpoint
CREATE TABLE "trades" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"day" date NOT NULL,
	"time" text NOT NULL,
	"segment" text NOT NULL,
	"instrument" text NOT NULL,
	"side" text NOT NULL,
	"quantity" integer NOT NULL,
	"price" bigint NOT NULL,
	"intraday_quantity" integer DEFAULT 0 NOT NULL,
	"is_mtf" boolean DEFAULT false NOT NULL,
	"order_no" text NOT NULL,
	"trade_no" text NOT NULL,
	"bill_no" text NOT NULL,
	"brokerage" bigint NOT NULL,
	"charges" bigint NOT NULL,
	"stt" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vouchers" (
	"id" bigint PRIMARY KEY NOT NULL,
	"voucher_no" text NOT NULL,
	"day" date NOT NULL,
	"type" text NOT NULL,
	"narration" text NOT NULL,
	"settlement_no" text,
	"bill_no" text,
	"settles_on" date NOT NULL
);
--> statement-breakpoint
CREATE INDEX "disposals_client_day" ON "disposals" USING btree ("client","day");--> statement-breakpoint
CREATE INDEX "disposals_lot" ON "disposals" USING btree ("lot_id");--> statement-breakpoint
CREATE INDEX "fundings_client" ON "fundings" USING btree ("client","day");--> statement-breakpoint
CREATE INDEX "lots_client" ON "lots" USING btree ("client","instrument");--> statement-breakpoint
CREATE INDEX "note_charges_bill" ON "note_charges" USING btree ("bill_no");--> statement-breakpoint
CREATE INDEX "notes_client_day" ON "notes" USING btree ("client","day");--> statement-breakpoint
CREATE INDEX "pledge_movements_client" ON "pledge_movements" USING btree ("client");--> statement-breakpoint
CREATE INDEX "postings_client" ON "postings" USING btree ("client","cocd","day","voucher_id");--> statement-breakpoint
CREATE INDEX "postings_voucher" ON "postings" USING btree ("voucher_id");--> statement-breakpoint
CREATE INDEX "trades_client_day" ON "trades" USING btree ("client","day");--> statement-breakpoint
CREATE INDEX "trades_bill" ON "trades" USING btree ("bill_no");--> statement-breakpoint
CREATE UNIQUE INDEX "vouchers_no" ON "vouchers" USING btree ("voucher_no");