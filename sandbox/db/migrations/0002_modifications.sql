CREATE TABLE "otp_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"purpose" text NOT NULL,
	"what" text NOT NULL,
	"payload" jsonb NOT NULL,
	"recipients" jsonb NOT NULL,
	"codes" jsonb NOT NULL,
	"wrong" integer DEFAULT 0 NOT NULL,
	"resends" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_because" text
);
--> statement-breakpoint
CREATE INDEX "otp_requests_client" ON "otp_requests" USING btree ("client","purpose","created_at");
--> statement-breakpoint
CREATE TABLE "otp_mistakes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "otp_mistakes_client" ON "otp_mistakes" USING btree ("client","at");
--> statement-breakpoint
CREATE TABLE "change_requests" (
	"reference" text PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"kind" text NOT NULL,
	"was" text,
	"becomes" text,
	"authorised_by" text NOT NULL,
	"status" text NOT NULL,
	"proofs" jsonb NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "change_requests_client" ON "change_requests" USING btree ("client","asked_at");
