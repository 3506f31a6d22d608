import { z } from 'zod/v4'
import { Balance, ClientCode, Day, Flag, Moment, Money, MoneyNonNegative, whole } from './common'
import { cells, maybe, rows, text, word, words } from './tolerant'
import { figure } from './units'

export const Depository = z.enum(['CDSL', 'NSDL'])
export type Depository = z.infer<typeof Depository>

/** What is closed; the broker's own spelling of the field is `clouser_for`. */
export const ClosureScope = z.enum(['Trading', 'Demat', 'Trading and Demat'])
export type ClosureScope = z.infer<typeof ClosureScope>

const CDSL_BO_ID = /^\d{16}$/
const NSDL_BO_ID = /^IN\d{14}$/

export const ClosureDetails = z.object({
	/** Market value of what is in the demat account. */
	total_holdings: MoneyNonNegative,
	/** All ledgers together, as the ledger report says. */
	ledger_balance: Balance,
	/** Accrued and not yet posted; credit positive. */
	virtual_balance: Balance,
	/** Depository's dues not yet billed; positive: the client owes. */
	cdsl_debit: MoneyNonNegative,
	/** ledger_balance + virtual_balance - cdsl_debit. */
	total_ledger_balance: Balance,
	client_code: ClientCode,
	cdsl_bo_id: maybe(words(z.string())),
	nsdl_bo_id: maybe(words(z.string())),
	/** Where the demat account is. */
	account_type: word(Depository),
	can_close_plain: Flag,
	/** Why not, in the broker's words. */
	blockers: rows(text(200), 10),
})
export type ClosureDetails = z.infer<typeof ClosureDetails>

/** The closing form, whichever way. The wire takes 300 characters of reason. */
export const ClosureRequest = z.object({
	client_code: ClientCode,
	reason: z.string().min(1).max(300),
	clouser_for: ClosureScope,
})

/** The fields beside the two files of a closure with transfer. The id of the other depository is empty. */
export const TransferRequest = ClosureRequest.extend({
	account_type: Depository,
	cdsl_bo_id: z.string().regex(/^(\d{16})?$/),
	nsdl_bo_id: z.string().regex(/^(IN\d{14})?$/),
}).refine((fields) => (fields.account_type === 'CDSL' ? CDSL_BO_ID.test(fields.cdsl_bo_id) : NSDL_BO_ID.test(fields.nsdl_bo_id)), {
	path: ['account_type'],
	error: 'The target account is missing',
})

/** Ours: what has to be done before the account can be closed, whether it is done, and how much it is about. */
export const ClosureTask = z.object({
	/** Such as DEBIT, HOLDINGS; a kind the portal does not know is shown in the broker's words. */
	kind: text(20),
	is_done: Flag,
	/** What is open, or that nothing is. */
	words: text(200),
	...cells({ amount: maybe(Balance), count: maybe(whole(0, Number.MAX_SAFE_INTEGER)) }),
})

/** Ours: a security that a transfer takes along. */
export const TransferredHolding = z.object({
	ISIN: text(12),
	SYMBOL: text(80),
	QTY: figure(z.number().int(), Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
	VALUE: Money,
})

/** Ours: a request to close, as it stands. */
export const ClosureState = z.object({
	reference: text(40),
	/** WAITING for the e-sign, CLOSING after it, CLOSED; a request that lapsed or was withdrawn is no longer here. */
	status: word(z.enum(['WAITING', 'CLOSING', 'CLOSED'])),
	reason: words(z.string()),
	clouser_for: word(ClosureScope),
	transfer_to: maybe(words(z.string())),
	asked_at: Moment,
	signed_at: maybe(Moment),
	/** The day by which a signed request is processed; until then it can be withdrawn. */
	closes_on: maybe(Day),
})

export const ClosureTasks = z.object({
	tasks: rows(ClosureTask, 30),
	holdings: rows(TransferredHolding, 2000),
	request: maybe(ClosureState),
})
export type ClosureTasks = z.infer<typeof ClosureTasks>

export const WithdrawClosureRequest = z.object({ reference: z.string().regex(/^[A-Z0-9-]{4,40}$/) })
