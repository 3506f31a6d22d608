import { useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { Depository } from '#contract/closure'
import { type Profile } from '#contract/profile'
import { unreadIn } from '#contract/tolerant'
import { formatAmount, formatRupees } from '#contract/values/money'
import { type Broker } from '~/broker/client.server'
import { listClosureTasks } from '~/broker/closure.server'
import { findPersonalDetails } from '~/broker/profile.server'
import { ABOVE_BAR, ActionBar } from '~/components/action-bar'
import { Failed } from '~/components/failed'
import { FileField } from '~/components/file-field'
import { ErrorSummary, Field, type FieldState, SelectField, SubmitButton } from '~/components/form'
import { Halves } from '~/components/halves'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { ReportTable } from '~/components/report-table'
import { Section } from '~/components/section'
import { CLOSURE, keepDraft, readDraft } from '~/forms/closure-draft.server'
import { UploadProblem } from '~/forms/file-type.server'
import { invalid } from '~/forms/form.server'
import { holdUploads } from '~/forms/pending-uploads.server'
import { createCodeSchema } from '~/forms/typed-fields.server'
import { withUploads } from '~/forms/uploads.server'
import { loadSidePart } from '~/http/partial-data.server'
import { formatUnits } from '~/lib/units'
import { findHoldingPage } from '~/reports/addresses.server'
import { tellUnread } from '~/reports/unread.server'
import { requireBroker } from '~/session/session.server'
import { StepCard } from './step-card'

const TITLE = 'Transfer your holdings'

export const handle = { title: TITLE }
const BoIdTyped = createCodeSchema('').default('')

const Target = z
	.object({
		account_type: z.enum(Depository.options, 'Select the target account type'),
		cdsl_bo_id: BoIdTyped,
		nsdl_bo_id: BoIdTyped.transform((id) => id.toUpperCase()),
	})
	.superRefine(({ account_type, cdsl_bo_id, nsdl_bo_id }, { addIssue }) => {
		if (account_type === 'CDSL' && !/^\d{16}$/.test(cdsl_bo_id))
			addIssue({ code: 'custom', path: ['cdsl_bo_id'], message: 'BO ID must be 16 numbers' })
		if (account_type === 'NSDL' && !/^IN\d{14}$/.test(nsdl_bo_id))
			addIssue({ code: 'custom', path: ['nsdl_bo_id'], message: 'NSDL id must start with IN followed by 14 numbers' })
	})
	.transform(({ account_type, cdsl_bo_id, nsdl_bo_id }) => ({
		account_type,
		bo_id: account_type === 'CDSL' ? cdsl_bo_id : nsdl_bo_id,
	}))

/** `own` is the client's demat account here; the broker refuses it too, when the profile could not be loaded. */
const createTarget = (own: Profile['dp_details'] | undefined) =>
	Target.superRefine(({ account_type, bo_id }, { addIssue }) => {
		const field = account_type === 'CDSL' ? 'cdsl_bo_id' : 'nsdl_bo_id'
		if (bo_id === own?.[field]) addIssue({ code: 'custom', path: [field], message: 'Enter the account at your new broker' })
	})

/** The values of the form. It never gets the content of a file back. */
type Fields = Record<'account_type' | 'cdsl_bo_id' | 'nsdl_bo_id' | 'client_master' | 'signature', string>

const FILES = {
	client_master: { required: 'Select the client master of your account at the new broker' },
	signature: { required: 'Upload a photo or scan of your signature on white paper' },
}

/** Returns the answers kept in this browser, or redirects to the first page of the closure. */
async function requireDraft(request: Request, broker: Broker) {
	const draft = await readDraft(request, broker)
	if (!draft?.withTransfer) throw redirect('/myaccount/closure')
	return draft
}

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const draft = await requireDraft(request, broker)
	const told = await loadSidePart(broker, listClosureTasks(broker), null)
	const holdings = told.data?.holdings ?? []
	const unread = tellUnread(unreadIn(holdings), { hasTotals: true })
	const rows = holdings.map(({ ISIN, SYMBOL, QTY, VALUE }) => ({
		id: ISIN,
		cells: [{ text: SYMBOL, href: findHoldingPage(ISIN), phoneNote: ISIN }, ISIN, formatUnits(QTY), formatAmount(VALUE)],
	}))
	const total = holdings.reduce((sum, { VALUE }) => sum + VALUE, 0)
	const foot = [unread ? 'Total (incomplete)' : 'Total', '', '', formatAmount(total)]
	const moves = unread
		? undefined
		: `${rows.length} ${rows.length === 1 ? 'security moves' : 'securities move'}, worth ${formatRupees(total)}`
	return { rows, foot, moves: rows.length > 0 ? moves : undefined, unread, failure: told.failure, target: draft.target }
}

/** Keeps the answers and files until the check page, because only that page calls the broker. */
export async function action({ request }: ActionFunctionArgs) {
	const broker = await requireBroker(request)
	const [draft, profile] = await Promise.all([requireDraft(request, broker), findPersonalDetails(broker)])
	return await withUploads(request, broker.clientCode, FILES, async (form, uploads) => {
		const submission = parseWithZod(form, { schema: createTarget(profile?.dp_details) })
		const wrong = uploads.problem
		if (submission.status !== 'success' || wrong) return invalid(submission, wrong)
		try {
			const { sha256: files, shown } = await holdUploads(broker.clientCode, CLOSURE, uploads.files(), 'client_master')
			const headers = await keepDraft(broker, { ...draft, target: { ...submission.value, files, shown } })
			return redirect(`${CLOSURE}/check`, { status: 303, headers })
		} catch (error) {
			if (error instanceof UploadProblem) return invalid(submission, error)
			throw error
		}
	})
}

export default function Transfer() {
	const { target, moves, ...moving } = useLoaderData<typeof loader>()
	const answered = useActionData<typeof action>()
	const [form, fields] = useForm<Fields>({
		id: 'transfer',
		lastResult: answered?.result,
		defaultValue: target && {
			account_type: target.account_type,
			cdsl_bo_id: target.account_type === 'CDSL' ? target.bo_id : '',
			nsdl_bo_id: target.account_type === 'NSDL' ? target.bo_id : '',
		},
	})
	const { account_type, cdsl_bo_id, nsdl_bo_id, client_master, signature } = fields
	return (
		<>
			<PageTitle title={TITLE} note={moves ?? 'Account closure'} />
			<ErrorSummary form={form} fields={[account_type, cdsl_bo_id, nsdl_bo_id, client_master, signature]} />
			<Halves>
				<StepCard change="transfer" step={2}>
					{/* Fields stand before files, because a file is checked only when the fields are valid. */}
					<PostForm id={form.id} encType="multipart/form-data" noValidate className={ABOVE_BAR}>
						<TargetFields account_type={account_type} cdsl_bo_id={cdsl_bo_id} nsdl_bo_id={nsdl_bo_id} />
						<FileField
							field={client_master}
							label="Client master"
							answer={answered}
							help="List of your new account’s details, stamped by that broker. PDF, JPEG or PNG, at most 5 MB, without a password."
						/>
						<FileField
							field={signature}
							label="Signature"
							answer={answered}
							help="Photo or scan of it on white paper. PDF, JPEG or PNG, at most 5 MB, without a password."
						/>
						<ActionBar>
							<div className="flex grow flex-wrap items-center gap-x-5 gap-y-2 max-sm:[&>.btn]:grow">
								<SubmitButton>Continue</SubmitButton>
								<a href="/myaccount/closure">Back</a>
							</div>
						</ActionBar>
					</PostForm>
				</StepCard>
				<Moves {...moving} />
			</Halves>
		</>
	)
}

/** The id of a depository stands open when that depository is chosen. Without style sheets both stand. */
function TargetFields({ account_type, cdsl_bo_id, nsdl_bo_id }: Record<'account_type' | 'cdsl_bo_id' | 'nsdl_bo_id', FieldState>) {
	return (
		<>
			<SelectField
				field={account_type}
				label="Target account type"
				help="Then its BO ID: 16 digits (CDSL), or IN and 14 digits (NSDL)."
				options={[
					{ value: '', label: 'Select CDSL or NSDL' },
					{ value: 'CDSL', label: 'CDSL' },
					{ value: 'NSDL', label: 'NSDL' },
				]}
			/>
			<div className="gap-x-6 sm:flex">
				<div className="in-[form:not(:has([value=CDSL]:checked))]:hidden">
					<Field
						field={cdsl_bo_id}
						label="CDSL BO ID"
						help="16 digits, from your new broker"
						inputMode="numeric"
						maxLength={20}
						width={16}
					/>
				</div>
				<div className="in-[form:not(:has([value=NSDL]:checked))]:hidden">
					<Field field={nsdl_bo_id} label="NSDL BO ID" help="IN and 14 digits" autoCapitalize="characters" maxLength={20} width={16} />
				</div>
			</div>
		</>
	)
}

type Moving = Pick<ReturnType<typeof useLoaderData<typeof loader>>, 'rows' | 'foot' | 'unread' | 'failure'>

function Moves({ rows, foot, unread, failure }: Moving) {
	return (
		<div>
			{failure && <Failed what="What moves" failure={failure} />}
			{(rows.length > 0 || unread) && (
				<Section title="What moves">
					<p className="prose text-xs">
						Only the units move, not your purchase dates and costs. You need those for tax: open each holding, or save{' '}
						<a href="/reports/downloads">the year pack</a>.
					</p>
					<ReportTable caption="Holdings that move" columns={COLUMNS} rows={rows} foot={foot} unread={unread} empty={{ text: '' }} />
				</Section>
			)}
		</div>
	)
}

const COLUMNS = [
	{ key: 'symbol', label: 'Symbol', align: 'left' },
	{ key: 'isin', label: 'ISIN', align: 'left', from: 'tablet' },
	{ key: 'quantity', label: 'Quantity', align: 'right' },
	{ key: 'value', label: 'Value', unit: '₹', align: 'right' },
] as const

export function ErrorBoundary() {
	return <PageProblem title={TITLE} />
}
