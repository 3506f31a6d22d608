ALTER TABLE "edis_authorisations" ADD COLUMN "sold_on" date;
