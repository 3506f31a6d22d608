import { type Unread } from '#contract/tolerant'

/** A failed call that fills some columns of the table. */
export type FailedCall = { message: string; reference: string }

const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)
const values = (count: number) => (count === 1 ? '1 value' : `${count} values`)

/** Returns the text above a table, or at the end of a file, when something could not be read; undefined otherwise. */
export function tellUnread(unread: Unread | undefined, { hasTotals = false, isFile = false } = {}): string | undefined {
	if (!unread) return undefined
	const { rows, cells, reference } = unread
	const told = [
		rows > 0 && `${entries(rows)} could not be read and ${rows === 1 ? 'is' : 'are'} left out.`,
		cells > 0 && `${values(cells)} could not be read and ${cells === 1 ? 'is' : 'are'} ${isFile ? 'left empty' : 'shown as —'}.`,
		hasTotals && 'Totals are incomplete.',
		`Reference ${reference}.`,
	]
	return told.filter((sentence) => sentence).join(' ')
}

/** Returns the text at the end of a file when a call that fills some of its columns failed. */
export function tellEmptyColumns({ message, reference }: FailedCall): string {
	return `Some columns could not be filled. ${message.replace(/\.?$/, '.')} Reference ${reference}.`
}
