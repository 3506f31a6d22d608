CREATE TABLE "ipo_issues" (
	"symbol" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"isin" text NOT NULL,
	"exchange" text NOT NULL,
	"kind" text NOT NULL,
	"sector" text NOT NULL,
	"registrar" text NOT NULL,
	"open_date" date NOT NULL,
	"close_date" date NOT NULL,
	"allotment_date" date NOT NULL,
	"refund_date" date NOT NULL,
	"listing_date" date NOT NULL,
	"min_price" bigint NOT NULL,
	"max_price" bigint NOT NULL,
	"tick" bigint NOT NULL,
	"lot" integer NOT NULL,
	"min_quantity" integer NOT NULL,
	"face_value" bigint NOT NULL,
	"issue_size_cr" integer NOT NULL,
	"categories" jsonb NOT NULL,
	"stage" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ipo_applications" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"application_no" text NOT NULL,
	"client" text NOT NULL,
	"symbol" text NOT NULL,
	"category" text NOT NULL,
	"quota" text NOT NULL,
	"bo_id" text NOT NULL,
	"upi_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"status" text NOT NULL,
	"upi_flag" integer NOT NULL,
	"mandate_status" text NOT NULL,
	"mandate_token" text NOT NULL,
	"reason" text,
	"request_key" text,
	"asked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ipo_applications_application_no_unique" UNIQUE("application_no"),
	CONSTRAINT "ipo_applications_mandate_token_unique" UNIQUE("mandate_token"),
	CONSTRAINT "ipo_applications_key" UNIQUE("client","request_key")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "ipo_applications_one" ON "ipo_applications" ("client","symbol","quota") WHERE status IN ('PENDING', 'ACCEPTED');
--> statement-breakpoint
CREATE INDEX "ipo_applications_symbol" ON "ipo_applications" ("symbol");
--> statement-breakpoint
CREATE TABLE "ipo_bids" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"application_no" text NOT NULL,
	"quantity" integer NOT NULL,
	"price" bigint NOT NULL,
	"cut_off" boolean NOT NULL,
	"amount" bigint NOT NULL,
	"reference_no" text NOT NULL,
	"allotted_quantity" integer,
	"refund" bigint
);
--> statement-breakpoint
CREATE INDEX "ipo_bids_application" ON "ipo_bids" ("application_no");
