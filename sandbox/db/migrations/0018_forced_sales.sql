ALTER TABLE "trades" ADD COLUMN "is_forced" boolean DEFAULT false NOT NULL;
