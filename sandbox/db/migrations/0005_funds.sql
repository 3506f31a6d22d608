CREATE TABLE "payins" (
	"request_id" text PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"once_key" text,
	"token" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"amount" bigint NOT NULL,
	"cocd" text NOT NULL,
	"mode" text NOT NULL,
	"bank_name" text NOT NULL,
	"bank_acno" text NOT NULL,
	"upi_id" text,
	"status" text NOT NULL,
	"waits_since" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"utr" text,
	"remarks" text NOT NULL,
	"voucher_no" text,
	CONSTRAINT "payins_token_unique" UNIQUE("token"),
	CONSTRAINT "payins_once" UNIQUE("client","once_key")
);
--> statement-breakpoint
CREATE INDEX "payins_client" ON "payins" USING btree ("client","status");
--> statement-breakpoint
CREATE TABLE "payouts" (
	"request_id" text NOT NULL,
	"cocd" text NOT NULL,
	"client" text NOT NULL,
	"once_key" text,
	"asked_at" timestamp with time zone NOT NULL,
	"amount" bigint NOT NULL,
	"bank_name" text NOT NULL,
	"bank_acno" text NOT NULL,
	"cut_off" timestamp with time zone NOT NULL,
	"credited_by" timestamp with time zone NOT NULL,
	"status" text NOT NULL,
	"paid" bigint NOT NULL,
	"ended_at" timestamp with time zone,
	"utr" text,
	"remarks" text NOT NULL,
	"voucher_no" text,
	CONSTRAINT "payouts_request_id_cocd_pk" PRIMARY KEY("request_id","cocd"),
	CONSTRAINT "payouts_once" UNIQUE("client","once_key","cocd")
);
--> statement-breakpoint
CREATE INDEX "payouts_client" ON "payouts" USING btree ("client","status");
--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_open" ON "payouts" USING btree ("client","cocd") WHERE "status" = 'PENDING';
--> statement-breakpoint
CREATE TABLE "unregistered_payments" (
	"utr" text PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"day" date NOT NULL,
	"amount" bigint NOT NULL,
	"from_account" text NOT NULL,
	"from_name" text NOT NULL,
	"returned_on" date,
	"reason" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mandates" (
	"reference" text PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"once_key" text,
	"token" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"amount" bigint NOT NULL,
	"bank_name" text NOT NULL,
	"bank_acno" text NOT NULL,
	"channel" text NOT NULL,
	"frequency" text NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date NOT NULL,
	"status" text NOT NULL,
	"waits_since" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"umrn" text,
	"remarks" text NOT NULL,
	CONSTRAINT "mandates_token_unique" UNIQUE("token"),
	CONSTRAINT "mandates_once" UNIQUE("client","once_key")
);
