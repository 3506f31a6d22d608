import { Hono } from 'hono'
import { ModifyIncomeRequest, OtpSent } from '#contract/modifications'
import { describeOperation } from '#sandbox/api/describe-operation'
import { parseFields, parseQuery } from '#sandbox/api/responses'
import { readMultipartForm, readUpload } from '#sandbox/api/uploads'
import { PDF_TYPE } from '#sandbox/files/ledger-file'
import { sendMessages } from '#sandbox/messages/outbox'
import { fileHeaders, requireClient } from '#sandbox/reports/statements'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { streamChangeForm } from './change-form'
import { changeNotices, listContacts } from './notices'
import { listChanges, recordDone } from './requests'
import { refuseField, type Steps, StepQuery } from './steps'
import { changeStored, readStored } from './stored'

/** Changes the income slab with a code and a proof, at once. The response is the declaration. */
export function income(parts: SandboxParts, steps: Steps) {
	const routes = new Hono<SandboxEnv>()
	const { books, clock } = parts

	routes.post(
		'/v1/modifications/income-modification',
		describeOperation({
			id: 'modifyIncome',
			summary: 'Change the income slab (two steps)',
			changes: true,
			query: StepQuery,
			body: ModifyIncomeRequest,
			uploads: ['file'],
			data: OtpSent,
			files: [PDF_TYPE],
		}),
		async (c) => {
			const { process } = parseQuery(c, StepQuery)
			const form = await readMultipartForm(c)
			const { income: slab, otp } = parseFields(form, ModifyIncomeRequest)
			const { code } = c.var.client
			const stored = await readStored(books.db, code)
			const was = stored.personal_details.annual_income
			// Not checked with verify_otp: the repeat of a used code must get that message, not this one.
			if (process !== 'verify_otp' && slab === was) throw refuseField('income', 'This is the income already on your account')
			const proofs = process === 'verify_otp' ? [await readUpload(form, 'file')] : []
			const step = {
				process,
				otp,
				purpose: 'income',
				payload: { income: slab },
				recipients: listContacts(stored).slice(0, 1),
				what: `change your annual income to ${slab}`,
			}
			return await steps.take(
				c,
				step,
				async (tx, payload) => {
					await changeStored(tx, code, (now) => ({
						...now,
						personal_details: { ...now.personal_details, annual_income: payload.income },
					}))
					const notices = changeNotices(code, `the annual income was changed to ${payload.income}`, listContacts(stored), clock.now())
					await sendMessages(parts, notices, tx)
					const change = { client: code, kind: 'INCOME', was, becomes: payload.income, proofs }
					return await recordDone(tx, { ...change, authorised_by: 'OTP' }, clock.now())
				},
				async (reference) => {
					const [row] = await listChanges(parts, code, reference)
					if (row === undefined) throw new Error('A change without its record')
					const pdf = streamChangeForm(parts, await requireClient(parts, code), row)
					return c.body(pdf, 200, fileHeaders(PDF_TYPE, `${code}_INCOME.pdf`))
				},
			)
		},
	)
	return routes
}
