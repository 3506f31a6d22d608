import { readSettings } from '#sandbox/settings'
import { openMadeBooks, takePort } from './made-books'

/* Makes the sandbox's books before its first start, while the portal is built (scripts/build.ts). */
const settings = readSettings(process.env)
const holder = await takePort(settings)
if (holder) {
	const books = await openMadeBooks(settings)
	await books.close()
	holder.close()
}
