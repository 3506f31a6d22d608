CREATE TABLE "settled_accounts" (
	"client" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watched_days" (
	"client" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL
);
--> statement-breakpoint
ALTER TABLE "edis_authorisations" ADD COLUMN "sold_on" date;
