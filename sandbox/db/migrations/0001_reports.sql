CREATE TABLE "pnl_bundles" (
	"client" text NOT NULL,
	"year" text NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	"zip" text NOT NULL,
	CONSTRAINT "pnl_bundles_client_year_pk" PRIMARY KEY("client","year")
);
--> statement-breakpoint
CREATE TABLE "report_links" (
	"session_id" text PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"product" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "trades" ADD COLUMN "exchange" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trades" ADD COLUMN "sebi" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trades" ADD COLUMN "gst" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trades" ADD COLUMN "stamp" bigint DEFAULT 0 NOT NULL;
