CREATE TABLE "charged_days" (
	"client" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL
);
