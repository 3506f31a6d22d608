import { z } from 'zod/v4'
import { Balance, ClientCode, Day, Flag, Moment, Money, MoneyNonNegative, whole } from './common'
import { id, text, word, words } from './texts'
import { cells, knownRows, maybe, rows, spare } from './tolerant'
import { figure } from './units'

export const Depository = z.enum(['CDSL', 'NSDL'])
export type Depository = z.infer<typeof Depository>

/** The accounts to close. `clouser_for` is the broker's own spelling of the field. */
export const ClosureScope = z.enum(['Trading', 'Demat', 'Trading and Demat'])
export type ClosureScope = z.infer<typeof ClosureScope>

const CDSL_BO_ID = /^\d{16}$/
const NSDL_BO_ID = /^IN\d{14}$/

export const ClosureDetails = z.object({
	/** Market value of the demat account. */
	total_holdings: MoneyNonNegative,
	...cells({
		/** The sum of all ledgers, as in the ledger report. */
		ledger_balance: Balance,
		/** Accrued and not yet posted; credit positive. */
		virtual_balance: Balance,
		/** Depository dues that are not billed yet. Positive: the client owes them. */
		cdsl_debit: MoneyNonNegative,
		/** ledger_balance + virtual_balance - cdsl_debit. */
		total_ledger_balance: Balance,
	}),
	client_code: spare(ClientCode, () => null),
	cdsl_bo_id: maybe(words(z.string())),
	nsdl_bo_id: maybe(words(z.string())),
	/** The depository that holds the demat account. */
	account_type: spare(word(Depository), () => null),
	can_close_plain: spare(Flag, () => false),
	/** Why `can_close_plain` is false, in the broker's words. A blank one is left out and counted, so the account cannot be closed. */
	blockers: knownRows(id(z.string().max(200)), 10),
})
export type ClosureDetails = z.infer<typeof ClosureDetails>

/** The closure form, with or without a transfer. The API takes a reason of at most 300 characters. */
export const ClosureRequest = z.object({
	client_code: ClientCode,
	reason: z.string().min(1).max(300),
	clouser_for: ClosureScope,
})

/** The fields sent with the two files of a closure with transfer. The id of the other depository is empty. */
export const TransferRequest = ClosureRequest.extend({
	account_type: Depository,
	cdsl_bo_id: z.string().regex(/^(\d{16})?$/),
	nsdl_bo_id: z.string().regex(/^(IN\d{14})?$/),
}).refine((fields) => (fields.account_type === 'CDSL' ? CDSL_BO_ID.test(fields.cdsl_bo_id) : NSDL_BO_ID.test(fields.nsdl_bo_id)), {
	path: ['account_type'],
	error: 'The target account is missing',
})

/** Not in the specification: one thing to do before the account can be closed, whether it is done, and its amount or count. */
const ClosureTask = z.object({
	/** Such as DEBIT or HOLDINGS. For a kind that the portal does not know it shows the broker's words. */
	kind: text(20),
	is_done: Flag,
	/** For the client: the part that is still open, or that nothing is open. */
	words: text(200),
	...cells({ amount: maybe(Balance), count: maybe(whole(0, Number.MAX_SAFE_INTEGER)) }),
})

/** Not in the specification: one security that a transfer moves. */
const TransferredHolding = z.object({
	ISIN: text(12),
	SYMBOL: text(80),
	QTY: figure(z.number().int(), Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
	VALUE: Money,
})

/** Not in the specification: the current request to close. */
export const ClosureState = z.object({
	reference: text(40),
	/** WAITING for the e-sign, then CLOSING, then CLOSED. A lapsed or withdrawn request is not listed. */
	status: word(z.enum(['WAITING', 'CLOSING', 'CLOSED'])),
	reason: words(z.string()),
	clouser_for: word(ClosureScope),
	transfer_to: maybe(words(z.string())),
	asked_at: Moment,
	signed_at: maybe(Moment),
	/** The day by which a signed request is processed. The client can withdraw it until then. */
	closes_on: maybe(Day),
})

export const ClosureTasks = z.object({
	tasks: knownRows(ClosureTask, 30),
	holdings: rows(TransferredHolding, 2000),
	request: maybe(ClosureState),
})
export type ClosureTasks = z.infer<typeof ClosureTasks>

export const WithdrawClosureRequest = z.object({
	reference: z.string().regex(/^[A-Z0-9-]{4,40}$/),
	/** The status that the client has seen. A request with another one stays (409): it may have been signed in the meantime. */
	status: z.enum(['WAITING', 'CLOSING']).optional(),
})
