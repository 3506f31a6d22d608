import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Books } from '#sandbox/db/open'
import { checkBook, checkTold, snapshotBooks, listDone, readOthers } from './invariants'
import { runs } from './runs'
import { openTestBooks } from './sandbox'
import { anyStep, EVERYTHING, type SequenceStep } from './steps'
import { take } from './take-step'
import { ACTORS, createWorld } from './world'

/*
 * No sequence of client actions breaks the book, in any order, any number of times, at any time. A failure prints its seed and path;
 * repeat it with `SEED=… SEED_PATH=… npx vitest run sandbox/testing/sequences.test.ts`.
 */

let books: Books
let restore: () => Promise<void>
beforeAll(async () => {
	books = await openTestBooks()
	restore = await snapshotBooks(books)
})
afterAll(() => books.close())

const { SEED, SEED_PATH } = process.env

/** Steps that may change the account of another client than `who`, or move the clock for all. */
const OF_MANY = new Set<SequenceStep['do']>(['wait', 'repeat', 'at the bank', 'register', 'at the depository', 'in the UPI app', 'sign'])

/** The actions of the sequences, by kind of entry or movement. */
const seen = new Set<string>()

async function play(sequence: readonly (readonly SequenceStep[])[]): Promise<void> {
	await restore()
	const world = await createWorld(books)
	for (const [at, steps] of sequence.entries()) {
		const [step, other] = steps
		const others = step && !other && !OF_MANY.has(step.do) ? await readOthers(books, step.who) : undefined
		await Promise.all(steps.map((each) => take(world, books, each)))
		if (others && step) expect(await readOthers(books, step.who), `${step.who} ${step.do}: others’ books`).toEqual(others)
		// Checking takes longer than a step, so a short run checks after every fourth step and after the last. It also checks after a
		// `wait`: the next call does what is due for all clients, such as an allotment, and that would look like an effect of the next
		// step.
		if (at % runs(4, 1) > 0 && !steps.some((each) => each.do === 'wait')) continue
		await checkBook(books)
		for (const who of new Set(steps.map((each) => each.who))) await checkTold(world, who)
	}
	for (const who of ACTORS) await checkTold(world, who)
	await checkBook(books)
	for (const kind of await listDone(books)) seen.add(kind)
}

test('keeps the book consistent after any sequence of steps', { timeout: 180_000 }, async () => {
	const alone = fc.tuple(anyStep)
	const together = fc.tuple(anyStep, anyStep)
	const steps = fc.oneof({ weight: 6, arbitrary: alone }, { weight: 1, arbitrary: together })
	const sequences = fc.array<[SequenceStep] | [SequenceStep, SequenceStep]>(steps, { minLength: 4, maxLength: 20, size: 'max' })
	await fc.assert(fc.asyncProperty(sequences, play), {
		examples: [[EVERYTHING.map((step): [SequenceStep] => [step])]],
		numRuns: runs(3, 20),
		...(SEED && { seed: Number(SEED) }),
		...(SEED_PATH && { path: SEED_PATH }),
	})
	const all = [
		'DP CHARGES',
		'IPO ALLOTMENT',
		'IPO BLOCK',
		'IPO RELEASE',
		'MTF INTEREST',
		'PAY-IN UPI',
		'PAY-OUT CLIENT',
		'PLEDGE CHARGES',
		'UNPLEDGE CHARGES',
	]
	expect([...seen], 'all of it has happened').toEqual(expect.arrayContaining([...all, 'a mandate', 'an activation', 'a verification']))
})
