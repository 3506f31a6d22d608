CREATE TABLE "former_passwords" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"password_hash" text NOT NULL,
	"replaced_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "former_passwords_client" ON "former_passwords" USING btree ("client","id");
--> statement-breakpoint
CREATE TABLE "reset_keys" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"client" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "rekyc_links" (
	"client" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	CONSTRAINT "rekyc_links_token_unique" UNIQUE("token")
);
