CREATE TABLE "marks" (
	"bill_no" text PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"day" date NOT NULL,
	"instrument" text NOT NULL,
	"quantity" integer NOT NULL,
	"price" bigint NOT NULL,
	"stood" bigint NOT NULL,
	"amount" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "marks_client" ON "marks" USING btree ("client","instrument","day");
