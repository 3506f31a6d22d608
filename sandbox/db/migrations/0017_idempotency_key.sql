ALTER TABLE "payins" RENAME COLUMN "once_key" TO "idempotency_key";
--> statement-breakpoint
ALTER TABLE "payouts" RENAME COLUMN "once_key" TO "idempotency_key";
--> statement-breakpoint
ALTER TABLE "mandates" RENAME COLUMN "once_key" TO "idempotency_key";
