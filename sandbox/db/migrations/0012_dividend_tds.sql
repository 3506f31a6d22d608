ALTER TABLE "dividends" ADD COLUMN "tds" bigint DEFAULT 0 NOT NULL;
