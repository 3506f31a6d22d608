import { Hono } from 'hono'
import { z } from 'zod/v4'
import { AddBankData, AddBankRequest, type BankAddResult, ChangeDefaultBankRequest, PennyDrop } from '#contract/modifications'
import { BankAccounts } from '#contract/profile'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, NO_DATA, parseBody, parseFields, parseQuery, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { readMultipartForm, readUpload, type Upload } from '#sandbox/api/uploads'
import { maskAccount } from '#sandbox/clients/masks'
import { type Effect } from '#sandbox/esign/esign'
import { sendMessages } from '#sandbox/messages/outbox'
import { type Branch, findBranch } from '#sandbox/reference-data/banks'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { changeNotices, listContacts } from './notices'
import { dropPenny, formatHolderName } from './penny-drop'
import { finishChange, recordDone, recordForEsign } from './requests'
import { refuseField, type Steps, StepQuery } from './steps'
import { changeStored, readStored, type Stored, type StoredBank } from './stored'

const EXISTS = 'This bank account is already registered'

/**
 * The data of an added account that the code confirms. The MICR code is not part of it: it follows from the IFSC, and may come later
 * than the code.
 */
const Asked = z.object({ acc_number: z.string(), ifsc_code: z.string(), account_type: z.string(), set_default: z.boolean() })

const shown = ({ bank_name, bank_acno }: Pick<StoredBank, 'bank_name' | 'bank_acno'>) => `${bank_name} ${maskAccount(bank_acno)}`

function findDefault({ banks }: Stored): string | null {
	const bank = banks.find(({ set_default }) => set_default)
	return bank === undefined ? null : shown(bank)
}

const tooMany = (max: number) => `You can have up to ${max} banks. Contact support to remove one.`

/**
 * The profile with one more bank account. Throws 409 for a known account, 422 above the limit. The limit is checked here again, because
 * several accounts may have been requested while there was room for each.
 */
function withBank(stored: Stored, bank: StoredBank, max: number): Stored {
	if (stored.banks.some(({ bank_acno }) => bank_acno === bank.bank_acno)) throw new Refused(409, EXISTS)
	if (stored.banks.length >= max) throw new Refused(422, tooMany(max))
	const set_default = bank.set_default || stored.banks.length === 0
	const others = set_default ? stored.banks.map((other) => ({ ...other, set_default: false })) : stored.banks
	return { ...stored, banks: [...others, { ...bank, set_default }] }
}

const notices = ({ clock }: SandboxParts, client: string, stored: Stored, added: StoredBank) =>
	changeNotices(client, `${shown(added)} was added to the bank accounts`, listContacts(stored), clock.now())

/** Bank accounts: the list, a new one, the default. */
export function bank(parts: SandboxParts, steps: Steps) {
	const routes = new Hono<SandboxEnv>()
	addBankDetails(routes, parts)
	addAddBank(routes, parts, steps)
	addPennyDrop(routes, parts, steps)
	addChangeDefaultBank(routes, parts)
	return routes
}

/** Throws for an account that cannot be added. Returns the branch and the result of the penny drop. */
function examine({ settings }: SandboxParts, stored: Stored, asked: z.output<typeof AddBankRequest>) {
	const branch = findBranch(asked.ifsc_code)
	if (branch === undefined) throw new Refused(400, 'Invalid IFSC code.')
	if (stored.banks.some(({ bank_acno }) => bank_acno === asked.acc_number)) throw new Refused(409, EXISTS)
	if (stored.banks.length >= settings.maxBanks) throw refuseField('acc_number', tooMany(settings.maxBanks))
	const micr_code = asked.micr_code ?? branch.micr_code
	if (micr_code === null) throw new Refused(400, 'Invalid MICR code.')
	const drop = dropPenny(asked.acc_number, stored)
	if (drop.match === 'NONE' && drop.name_at_bank !== null) throw refuseField('acc_number', 'The account must be in your own name')
	return { branch, micr_code, isPenny: drop.match === 'FULL' }
}

function addBankDetails(routes: Hono<SandboxEnv>, { books }: SandboxParts) {
	routes.get(
		'/v2/account-profile/bank-details',
		describeOperation({ id: 'getBankDetails', summary: 'Registered bank accounts', query: Source, data: BankAccounts }),
		async (c) => {
			const { banks } = await readStored(books.db, c.var.client.code)
			return sendData(c, 'Bank details fetched', banks)
		},
	)
}

function addAddBank(routes: Hono<SandboxEnv>, parts: SandboxParts, steps: Steps) {
	const { books, settings, clock } = parts
	routes.post(
		'/v1/modifications/bank-addition',
		describeOperation({
			id: 'addBank',
			summary: 'Add a bank account (two steps)',
			changes: true,
			query: StepQuery,
			body: AddBankRequest,
			uploads: ['file', 'file2'],
			data: AddBankData,
		}),
		async (c) => {
			const { process } = parseQuery(c, StepQuery)
			const form = await readMultipartForm(c)
			const asked = parseFields(form, AddBankRequest)
			const { code } = c.var.client
			const stored = await readStored(books.db, code)
			const { branch, micr_code, isPenny } = examine(parts, stored, asked)
			const proofs: Upload[] = []
			if (process === 'verify_otp' && !isPenny) proofs.push(await readUpload(form, 'file'))
			if (process === 'verify_otp' && !isPenny && form.has('file2')) proofs.push(await readUpload(form, 'file2'))
			const step = {
				process,
				otp: asked.otp,
				purpose: 'bank',
				payload: Asked.parse(asked),
				recipients: listContacts(stored).slice(0, 1),
				what: `add bank account ${maskAccount(asked.acc_number)}`,
				besides: { is_penny: isPenny },
			}
			return await steps.take(
				c,
				step,
				async (tx, payload): Promise<z.input<typeof BankAddResult>> => {
					const added = toStoredBank(payload, branch, micr_code)
					const change = {
						client: code,
						was: null,
						becomes: `${shown(added)}, ${added.ifsc_code_act}${added.set_default ? ', default' : ''}`,
					}
					if (!isPenny) {
						const esign_response = await recordForEsign(parts, tx, { ...change, kind: 'BANK', proofs }, added)
						return { esign: true, is_penny: false, esign_response }
					}
					await changeStored(tx, code, (now) => withBank(now, added, settings.maxBanks))
					await recordDone(tx, { ...change, kind: 'BANK', authorised_by: 'OTP' }, clock.now())
					await sendMessages(parts, notices(parts, code, stored, added), tx)
					return { esign: false, is_penny: true, esign_response: null }
				},
				(added) => sendData(c, added.esign ? 'Proceed to e-sign' : 'Bank added successfully', added),
			)
		},
	)
}

function addPennyDrop(routes: Hono<SandboxEnv>, { books }: SandboxParts, steps: Steps) {
	routes.get(
		'/v1/ours/penny-drop',
		describeOperation({ id: 'getPennyDrop', summary: 'The bank’s response about the account being added', query: Source, data: PennyDrop }),
		async (c) => {
			const asked = Asked.safeParse(await steps.otps.findPayload(c.var.client.code, 'bank'))
			const branch = asked.success ? findBranch(asked.data.ifsc_code) : undefined
			if (!asked.success || branch === undefined) throw new Refused(404, NO_DATA)
			const stored = await readStored(books.db, c.var.client.code)
			const { name_at_bank, match } = dropPenny(asked.data.acc_number, stored)
			const { bank_name, branch: name } = branch
			return sendData(c, 'Penny drop fetched', { bank_name, branch: name, name_at_bank, name_here: formatHolderName(stored), match })
		},
	)
}

function addChangeDefaultBank(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books, clock } = parts
	routes.post(
		'/v1/modifications/default-bank-change',
		describeOperation({
			id: 'changeDefaultBank',
			summary: 'Make a registered account the default',
			changes: true,
			query: Source,
			body: ChangeDefaultBankRequest,
			data: z.null(),
		}),
		async (c) => {
			const { acc_no, ifsc_code } = await parseBody(c, ChangeDefaultBankRequest)
			const { code } = c.var.client
			await books.db.transaction(async (tx) => {
				const stored = await readStored(tx, code, true)
				const chosen = stored.banks.find(({ bank_acno, ifsc_code_act }) => bank_acno === acc_no && ifsc_code_act === ifsc_code)
				if (chosen === undefined) throw new Refused(404, 'Bank account is not registered')
				if (chosen.set_default) return
				const banks = stored.banks.map((each) => ({ ...each, set_default: each === chosen }))
				await changeStored(tx, code, (now) => ({ ...now, banks }))
				const change = { client: code, kind: 'DEFAULT_BANK', was: findDefault(stored), becomes: shown(chosen) }
				await recordDone(tx, { ...change, authorised_by: 'LOGIN' }, clock.now())
				const what = `${shown(chosen)} became the default bank account`
				await sendMessages(parts, changeNotices(code, what, listContacts(stored), clock.now()), tx)
			})
			return sendData(c, 'Default bank changed successfully', null)
		},
	)
}

function toStoredBank(asked: z.output<typeof Asked>, { bank_name, branch }: Branch, micr_code: string): StoredBank {
	const { acc_number, ifsc_code, account_type, set_default } = asked
	return { bank_acno: acc_number, bank_name, branch, ifsc_code_act: ifsc_code, micr_code, account_type, set_default }
}

/** The effect of the signature: the account is added. */
export const applyBank: Effect = async (tx, { client, reference, payload }, now, { maxBanks }) => {
	const added = payload as StoredBank
	await changeStored(tx, client, (stored) => withBank(stored, added, maxBanks))
	await finishChange(tx, reference, now)
	return changeNotices(client, `${shown(added)} was added to the bank accounts`, listContacts(await readStored(tx, client)), now)
}
