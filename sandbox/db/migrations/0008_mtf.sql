CREATE TABLE "mtf_accounts" (
	"client" text PRIMARY KEY NOT NULL,
	"activated_at" timestamp with time zone NOT NULL,
	"reference" text
);
--> statement-breakpoint
CREATE TABLE "mtf_months" (
	"client" text NOT NULL,
	"month" text NOT NULL,
	"voucher_no" text NOT NULL,
	CONSTRAINT "mtf_months_client_month_pk" PRIMARY KEY("client","month")
);
--> statement-breakpoint
CREATE TABLE "tax_fetches" (
	"client" text NOT NULL,
	"year" text NOT NULL,
	CONSTRAINT "tax_fetches_client_year_pk" PRIMARY KEY("client","year")
);
