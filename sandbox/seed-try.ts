import { openBooks } from '#sandbox/db/open'
import { seedBooks } from '#sandbox/db/seed/seed'
import { sql } from 'drizzle-orm'
const t=performance.now()
const books = await openBooks({ dataDir: process.argv[3] })
console.log('open', Math.round(performance.now()-t))
const codes = process.argv[2]?.split(',')
console.log(await seedBooks(books, { seed: 'khata', today: '2026-11-21', ...(codes && codes[0] !== 'all' ? { personas: codes } : {}) }))
console.log('all', Math.round(performance.now()-t), Math.round(process.memoryUsage().rss/1e6)+' MB')
for (const q of [
 `select client, cocd, sum(amount)::float8/100 as bal, count(*)::int as rows, sum(amount) filter (where not is_margin)::float8/100 as nomargin from postings where account='CLIENT' group by 1,2 order by 1,2`,
 `select client, cocd, account, sum(amount)::float8/100 as bal from postings where account in ('MARGIN','MTF') group by 1,2,3`,
 `select client, segment, count(*)::int n, min(day)::text, max(day)::text from trades group by 1,2 order by 1,2`,
 `select client, extract(year from day - interval '3 months')::int fy, count(*)::int from postings where account='CLIENT' group by 1,2 order by 1,2`,
 `select sum(amount)::float8 from postings`,
 `select client, kind, count(*)::int from disposals group by 1,2 order by 1`,
 `select (select count(*) from vouchers)::int v, (select count(*) from postings)::int p, (select count(*) from prices)::int pr, (select count(*) from lots)::int l, (select count(*) from disposals)::int d, (select count(*) from note_charges)::int nc, (select count(*) from instruments)::int i`,
 `select narration, count(*)::int from (select regexp_replace(regexp_replace(narration,'UTR .*','UTR #'),'[A-Z]?[0-9]{7,}','#') narration from vouchers) x where narration !~ 'CHARGES|FUNDING' group by 1 order by 2 desc limit 30`,
]) { const r = await books.db.execute(sql.raw(q)); if (!process.env.QUIET) console.table(r.rows) }
await books.close()
