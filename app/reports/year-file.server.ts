import { unreadIn } from '#contract/tolerant'
import { type Paise, formatPlainAmount } from '#contract/values/money'
import { tellUnread } from './unread.server'

type Figure = { label: string; amount: string }

export type Open = () => Promise<ReadableStream<Uint8Array>>
/** Why the broker has no such file, for the manifest. */
type Absent = { absent: string }

/** One file of a year, loaded when it is written. The figure is the statement's total, from the rows that the portal shows. */
export type YearFile = {
	file: string
	statement: string
	open: Open | Absent
	figure?: () => Promise<Figure | undefined>
	/** For the CSV files of the portal: what could not be read, known once the file is written. */
	missing?: () => Promise<string | undefined>
}

/** The result for one file: one line of the manifest. */
export type ManifestEntry = Pick<YearFile, 'file' | 'statement'> & { bytes: number; sha256: string; figure?: Figure; problem: string }

/** Returns the note of the rows that could not be read, for a file that has them. */
export const missingIn = (ask: () => Promise<object | undefined>) => async () => {
	const rows = await ask()
	return rows && tellUnread(unreadIn(rows), { isFile: true })
}

/** Returns the figure of a file; undefined when it is not known. */
export function amount(label: string, paise: Paise | null | undefined): Figure | undefined {
	return paise === undefined || paise === null ? undefined : { label, amount: formatPlainAmount(paise) }
}

/** Loads once, when first needed. */
export function memoize<Value>(ask: () => Promise<Value>): () => Promise<Value> {
	let asked: Promise<Value> | undefined
	return () => (asked ??= ask())
}
