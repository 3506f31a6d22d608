ALTER TABLE "pledge_requests" ADD COLUMN "purpose" text DEFAULT 'MARGIN' NOT NULL;
--> statement-breakpoint
CREATE INDEX "postings_balance" ON "postings" USING btree ("client","cocd","day","amount") WHERE account = 'CLIENT' AND NOT is_margin;
