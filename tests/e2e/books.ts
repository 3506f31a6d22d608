import { rmSync } from 'node:fs'
import { openBooks } from '#sandbox/db/open'
import { seedBooks } from '#sandbox/db/seed/seed'
import { readSettings } from '#sandbox/settings'
import { BROKERS_DAY } from '#tests/support/brokers-day'
import { BOOKS } from './kept'

/* Makes the books once, before any server of the browser tests starts; each server starts with its own copy. */
rmSync(BOOKS, { recursive: true, force: true })
const books = await openBooks({ dataDir: BOOKS })
await seedBooks(books, { seed: readSettings({}).seed, today: BROKERS_DAY })
await books.close()
