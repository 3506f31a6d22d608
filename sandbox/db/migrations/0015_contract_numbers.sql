ALTER TABLE "notes" ADD COLUMN "contract_no" text;
--> statement-breakpoint
CREATE UNIQUE INDEX "notes_contract" ON "notes" USING btree ("contract_no" COLLATE "C");
