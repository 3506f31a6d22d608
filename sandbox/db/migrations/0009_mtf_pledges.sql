ALTER TABLE "pledge_requests" ADD COLUMN "purpose" text DEFAULT 'MARGIN' NOT NULL;
