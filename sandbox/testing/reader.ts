import { expect } from 'vitest'
import { z } from 'zod/v4'

/**
 * A contract's schema that refuses fields it does not name. The portal drops such fields. The sandbox must not send any, because nobody
 * reads them.
 */
export function strictly(schema: z.ZodType): z.ZodType {
	if (schema instanceof z.ZodObject) {
		const shape = Object.entries(schema.shape).map(([name, field]) => [name, strictly(field as z.ZodType)])
		return z.strictObject(Object.fromEntries(shape))
	}
	if (schema instanceof z.ZodArray) {
		const lengths = (schema._zod.def.checks ?? []) as z.core.$ZodCheck<unknown[]>[]
		return z.array(strictly(schema.element as z.ZodType)).check(...lengths)
	}
	if (schema instanceof z.ZodNonOptional) return strictly(schema.unwrap() as z.ZodType)
	if (schema instanceof z.ZodOptional) return strictly(schema.unwrap() as z.ZodType).optional()
	if (schema instanceof z.ZodNullable) return strictly(schema.unwrap() as z.ZodType).nullable()
	return schema
}

/** The sandbox's data: every optional field is present, and is not null. */
export type Whole<Value> = Value extends readonly (infer Row)[]
	? Whole<Row>[]
	: Value extends object
		? { [Name in keyof Value]-?: Whole<NonNullable<Value[Name]>> }
		: Value

/** Parses a response of the sandbox, in which no field may be missing. */
export const parseWhole = <Data extends z.ZodType>(schema: Data, given: unknown) => schema.parse(given) as Whole<z.output<Data>>

const Answered = z.looseObject({ status: z.literal('success'), message: z.string().min(1), data: z.unknown() })

/** Sum of one figure of many rows. */
export const sumRows = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)

/**
 * Reads calls as one client: sends the call, refuses fields that the contract does not name, and returns the data as the portal sees it.
 */
export function createReader(code: string, ask: (path: string, init?: { method: 'POST'; body: string }) => Response | Promise<Response>) {
	return async function read<Data extends z.ZodType>(path: string, data: Data, body?: object): Promise<Whole<z.output<Data>>> {
		const response = await ask(path, body && { method: 'POST', body: JSON.stringify({ client_code: code, ...body }) })
		const json: unknown = await response.json()
		expect(response.status, JSON.stringify(json).slice(0, 300)).toBe(200)
		const { data: given } = Answered.parse(json)
		expect(strictly(data).safeParse(given).error?.issues.slice(0, 3), path).toBeUndefined()
		return parseWhole(data, given)
	}
}

export type JournalTransaction = { day: string; code: string; postings: { account: string; paise: number }[] }

/** The declared accounts and the transactions of an hledger journal, read only by its format. Throws for a line of another format. */
export function parseJournal(journal: string): { declared: string[]; transactions: JournalTransaction[] } {
	const declared: string[] = []
	const transactions: JournalTransaction[] = []
	for (const line of journal.split('\n')) {
		const [, day = '', code = ''] =
			/^(\d{4}-\d\d-\d\d) \* \((\w+)\) [^;|]+(?: {2}; (?:settles:[\d-]+)?(?:, )?(?:bill:\w+)?)?$/.exec(line) ?? []
		const [, account = '', sign, rupees = '', paise = ''] = /^ {4}(\S.*?) {2}(-?)(\d+)\.(\d\d) INR$/.exec(line) ?? []
		if (day !== '') transactions.push({ day, code, postings: [] })
		else if (account !== '') transactions.at(-1)?.postings.push({ account, paise: Number(rupees + paise) * (sign === '-' ? -1 : 1) })
		else if (line.startsWith('account ')) declared.push(line.slice('account '.length))
		else if (!/^(;.*|decimal-mark \.|commodity 1000\.00 INR|)$/.test(line)) throw new Error(`No line of a journal: ${line}`)
	}
	return { declared, transactions }
}
