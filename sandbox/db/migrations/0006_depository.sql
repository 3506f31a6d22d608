CREATE TABLE "edis_authorisations" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"request_id" text NOT NULL,
	"client" text NOT NULL,
	"instrument" text NOT NULL,
	"quantity" integer NOT NULL,
	"trade_type" text NOT NULL,
	"granted_on" date NOT NULL,
	"granted_at" timestamp with time zone NOT NULL,
	"valid_until" timestamp with time zone NOT NULL,
	CONSTRAINT "edis_authorisations_once" UNIQUE("request_id","instrument")
);
--> statement-breakpoint
CREATE INDEX "edis_authorisations_client" ON "edis_authorisations" USING btree ("client","valid_until");
--> statement-breakpoint
CREATE TABLE "pledge_requests" (
	"reference" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"client" text NOT NULL,
	"idempotency_key" text,
	"action" text NOT NULL,
	"lines" jsonb NOT NULL,
	"status" text NOT NULL,
	"last_outcome" text,
	"reason" text,
	"asked_at" timestamp with time zone NOT NULL,
	"confirm_by" timestamp with time zone NOT NULL,
	"margin_from" date NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "pledge_requests_token_unique" UNIQUE("token"),
	CONSTRAINT "pledge_requests_once" UNIQUE("client","idempotency_key")
);
