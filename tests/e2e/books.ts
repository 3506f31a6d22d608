import { rmSync } from 'node:fs'
import { addDays } from '#contract/values/dates'
import { openBooks } from '#sandbox/db/open'
import { seedBooks } from '#sandbox/db/seed/seed'
import { PASSWORD_COST } from '#sandbox/testing/books'
import { BROKERS_DAY } from '#tests/support/brokers-day'
import { BOOKS } from './kept'

/*
 * Makes the books once, before any server of the browser tests starts; each server starts with its own copy. BULK01 has two months, not
 * five years, because its five years take as long as all other clients together. No journey reads more than a few hundred rows of its
 * ledger.
 */
rmSync(BOOKS, { recursive: true, force: true })
const books = await openBooks({ dataDir: BOOKS })
await seedBooks(books, {
	today: BROKERS_DAY,
	bulkFrom: addDays(BROKERS_DAY, -60),
	passwordCost: PASSWORD_COST,
})
await books.close()
