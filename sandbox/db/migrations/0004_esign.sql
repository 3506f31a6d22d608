CREATE TABLE "esigns" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"token" text NOT NULL,
	"client" text NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"lines" jsonb NOT NULL,
	"payload" jsonb NOT NULL,
	"status" text NOT NULL,
	"last_outcome" text,
	"reason" text,
	"opened_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "esigns_reference_unique" UNIQUE("reference"),
	CONSTRAINT "esigns_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "closures" (
	"reference" text PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"reason" text NOT NULL,
	"clouser_for" text NOT NULL,
	"transfer_to" text,
	"account_type" text,
	"client_master" jsonb,
	"signature" jsonb,
	"status" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"signed_at" timestamp with time zone,
	"withdrawn_at" timestamp with time zone
);
