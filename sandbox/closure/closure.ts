import { type Context, Hono } from 'hono'
import { z } from 'zod/v4'
import { ClosureDetails, ClosureRequest, ClosureTasks, Depository, TransferRequest, WithdrawClosureRequest } from '#contract/closure'
import { EsignResponse } from '#contract/esign'
import { toIndianDay } from '#contract/values/dates'
import { toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, invalidField, parseBody, parseFields, parseQuery, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { readMultipartForm, readUpload } from '#sandbox/api/uploads'
import { sumHolding } from '#sandbox/book/read-holding'
import { type Client, findClient } from '#sandbox/clients/clients'
import { sendMessages } from '#sandbox/messages/outbox'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { findClosure, openClosure, requireClosable, withdrawClosure } from './requests'
import { listBlockers, listTasks, readStanding } from './tasks'

const AskedDetails = z.object({ client_code: z.string().optional() })
const CloseIn = Source.extend({ close_in: Depository })
const OwnIds = z.object({ cdsl_bo_id: z.string().nullable(), nsdl_bo_id: z.string().nullable() })

/** Account closure: the blocking tasks, the two forms to sign, and the withdrawal. */
export function closure(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addClosureDetails(routes, parts)
	addClosureTasks(routes, parts)
	addEsignClosure(routes, parts)
	addEsignClosureWithTransfer(routes, parts)
	addWithdrawClosure(routes, parts)
	return routes
}

async function requireOwnClient({ books }: SandboxParts, c: Context<SandboxEnv>, named?: string): Promise<Client> {
	if (named !== undefined && named !== c.var.client.code) throw new Refused(403, 'Client code does not match the session')
	const client = await findClient(books, c.var.client.code)
	if (client === undefined) throw new Error('A session without its client')
	return client
}

async function readOwnStanding({ clock, books }: SandboxParts, client: Client) {
	const now = clock.now()
	const standing = await readStanding(books, client, toIndianDay(now))
	return { standing, tasks: await listTasks(books, standing, now) }
}

function addClosureDetails(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.post(
		'/v1/acc-closing-details',
		describeOperation({
			id: 'getClosureDetails',
			summary: 'What stands in the account before a closure',
			query: Source,
			body: AskedDetails,
			data: ClosureDetails,
		}),
		async (c) => {
			const { client_code } = await parseBody(c, AskedDetails)
			const client = await requireOwnClient(parts, c, client_code)
			const { standing, tasks } = await readOwnStanding(parts, client)
			const { ledgerBalance, virtualBalance, dpDues, positions } = standing
			const { cdsl_bo_id, nsdl_bo_id } = OwnIds.parse(client.profile.dp_details)
			const blockers = listBlockers(tasks, false)
			return sendData(c, 'Closure details fetched', {
				total_holdings: toRupees(sumHolding(positions).value),
				ledger_balance: toRupees(ledgerBalance),
				virtual_balance: toRupees(virtualBalance),
				cdsl_debit: toRupees(dpDues),
				total_ledger_balance: toRupees(ledgerBalance + virtualBalance - dpDues),
				client_code: client.code,
				cdsl_bo_id,
				nsdl_bo_id,
				account_type: cdsl_bo_id === null ? 'NSDL' : 'CDSL',
				can_close_plain: blockers.length === 0,
				blockers: blockers.map(({ words }) => words),
			} satisfies z.input<typeof ClosureDetails>)
		},
	)
}

function addClosureTasks(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books, clock } = parts
	routes.get(
		'/v1/ours/closure-tasks',
		describeOperation({
			id: 'listClosureTasks',
			summary: 'Tasks before a closure, and the request',
			query: Source,
			data: ClosureTasks,
		}),
		async (c) => {
			const client = await requireOwnClient(parts, c)
			const { standing, tasks } = await readOwnStanding(parts, client)
			const held = standing.positions.filter(({ isSecurity }) => isSecurity)
			return sendData(c, 'Closure tasks fetched', {
				tasks: tasks.map(({ kind, isDone, words, amount, count }) => ({
					kind,
					is_done: isDone,
					words,
					amount: amount === null ? null : toRupees(amount),
					count,
				})),
				holdings: held.map(({ instrument, symbol, quantity, value }) => ({
					ISIN: instrument,
					SYMBOL: symbol,
					QTY: quantity,
					VALUE: toRupees(value),
				})),
				request: await findClosure(books, client.code, clock.now()),
			} satisfies z.input<typeof ClosureTasks>)
		},
	)
}

function addEsignClosure(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.post(
		'/v1/acc-closing-esign-proccess',
		describeOperation({
			id: 'esignClosure',
			summary: 'E-sign a plain closure',
			changes: true,
			isOpenToClosing: true,
			query: Source,
			body: ClosureRequest,
			data: EsignResponse,
		}),
		async (c) => {
			const asked = await parseBody(c, ClosureRequest)
			const client = await requireOwnClient(parts, c, asked.client_code)
			await requireClosable(parts, client, false)
			return sendData(c, 'Proceed to e-sign', await openClosure(parts, client, asked, 'None: the account is empty'))
		},
	)
}

function addEsignClosureWithTransfer(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.post(
		'/v1/acc-closing-with-transfer-esign-proccess',
		describeOperation({
			id: 'esignClosureWithTransfer',
			summary: 'E-sign a closure with transfer of the securities',
			changes: true,
			isOpenToClosing: true,
			query: CloseIn,
			body: TransferRequest,
			uploads: ['client_master', 'signature'],
			areUploadsRequired: true,
			data: EsignResponse,
		}),
		async (c) => {
			const { close_in } = parseQuery(c, CloseIn)
			const form = await readMultipartForm(c)
			const asked = parseFields(form, TransferRequest)
			const client = await requireOwnClient(parts, c, asked.client_code)
			if (asked.account_type !== close_in) throw invalidField('account_type', 'close_in and account_type differ')
			const idField = asked.account_type === 'CDSL' ? 'cdsl_bo_id' : 'nsdl_bo_id'
			const boId = asked[idField]
			if (boId === OwnIds.parse(client.profile.dp_details)[idField]) throw invalidField(idField, 'Enter the account at your new broker')
			const clientMaster = await readUpload(form, 'client_master')
			const signature = await readUpload(form, 'signature')
			await requireClosable(parts, client, true)
			const { standing } = await readOwnStanding(parts, client)
			const held = standing.positions.filter(({ isSecurity }) => isSecurity).length
			const words = `${held} ${held === 1 ? 'security' : 'securities'}`
			const transfer = { accountType: asked.account_type, boId, clientMaster, signature }
			return sendData(c, 'Proceed to e-sign', await openClosure(parts, client, { ...asked, transfer }, words))
		},
	)
}

function addWithdrawClosure(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	routes.post(
		'/v1/ours/withdraw-closure',
		describeOperation({
			id: 'withdrawClosure',
			summary: 'Withdraw a closure that is not processed',
			changes: true,
			isOpenToClosing: true,
			query: Source,
			body: WithdrawClosureRequest,
		}),
		async (c) => {
			const asked = await parseBody(c, WithdrawClosureRequest)
			const client = await requireOwnClient(parts, c)
			if (!(await withdrawClosure(parts, client, asked))) throw new Refused(409, 'This request can not be withdrawn any more')
			const { email, mobile } = client.profile.personal_details
			const body = `You withdrew request ${asked.reference}. Account ${client.code} stays open.`
			const message = { client: client.code, subject: 'Account closure withdrawn', body }
			await sendMessages(parts, [
				{ ...message, channel: 'SMS', recipient: mobile },
				{ ...message, channel: 'EMAIL', recipient: email },
			])
			return sendData(c, 'Closure request withdrawn', null)
		},
	)
}
