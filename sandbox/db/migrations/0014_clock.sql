CREATE TABLE "clock" (
	"id" integer PRIMARY KEY NOT NULL,
	"starts_on" text,
	"base_ms" bigint NOT NULL,
	"ahead_ms" bigint NOT NULL
);
