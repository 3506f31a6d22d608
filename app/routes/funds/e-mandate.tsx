import { useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { NameInAddress } from '#contract/common'
import { formatRupees, formatPlainAmount } from '#contract/values/money'
import { type Broker } from '~/broker/client.server'
import { cancelMandate, createOnlineEmandate, listMandates } from '~/broker/funds.server'
import { findBankDetails, getBankDetails } from '~/broker/profile.server'
import { AskFirst } from '~/components/ask-first'
import { bankOptions } from '~/components/bank-options'
import { Banner } from '~/components/banner'
import { DownloadLink } from '~/components/download-link'
import { Failed, NothingMoved } from '~/components/failed'
import { FailedParts } from '~/components/failed-parts'
import { ErrorSummary } from '~/components/form'
import { ReportList } from '~/components/list-table'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { offerSearch, ReportToolbar } from '~/components/report-toolbar'
import { RestoredFormNotice } from '~/components/restored-form-notice'
import { Section } from '~/components/section'
import { findChosenBank, formatBank, offerBanks } from '~/forms/bank-options.server'
import { withFormRecovery, takeRecoveredForm } from '~/forms/form-recovery.server'
import { invalid, lookUp, replyWith, extendReply } from '~/forms/form.server'
import { readIdempotencyKey } from '~/forms/idempotency-key'
import { runIdempotent, createIdempotencyKey } from '~/forms/idempotency.server'
import { keepReceipt, readReceipt } from '~/forms/receipt.server'
import { allowedAddress } from '~/http/external-redirect.server'
import { loadPart } from '~/http/partial-data.server'
import { loadAgain } from '~/lib/load-again'
import { tellNoMatch } from '~/lib/no-match'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { addressWith, readView } from '~/reports/view.server'
import { audit } from '~/session/audit.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { findFundLimits, mandateForm, wholeRupees } from './fund-forms.server'
import { CHANNELS, isCancellable, mandatesReport } from './fund-tables.server'
import { describeEnding, describeMandate, describeReceipt } from './mandate-words.server'
import { mandateDetails } from './mandate.server'
import { BANKS, type MandateTyped, NewMandate } from './new-mandate'

export const handle = { title: 'Funds' }

const FORM = 'e-mandate'
const PAGE = '/funds/e-mandate'
const cancelForm = (reference: string) => `cancel-mandate-${reference}`

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const [banks, limits, mandates, { typed, headers }] = await Promise.all([
		loadPart(broker, getBankDetails(broker)),
		findFundLimits(broker, 'mandate'),
		loadPart(broker, listMandates(broker), []),
		takeRecoveredForm(request, broker.clientCode),
	])
	const view = readView(url, sortableKeys(mandatesReport))
	const named = (name: string) => mandates.data?.find((mandate) => mandate.reference === url.searchParams.get(name))
	const [back, ending] = [named('ref'), named('cancel')]
	// When the list failed, it may still have the mandate.
	const isListFailed = Boolean(mandates.failure && !mandates.isAbsent)
	const isBack = url.searchParams.has('ref') && !back && !isListFailed
	const receipt = isBack ? await readReceipt(request, broker.clientCode, 'mandate', '') : undefined
	const { key } = createIdempotencyKey(request, FORM, broker, headers)
	return data(
		{
			key,
			...offerBanks(banks),
			limit:
				limits &&
				`From ${wholeRupees(limits.mandate_min)} to ${wholeRupees(limits.mandate_max)}; with Aadhaar up to ${wholeRupees(limits.mandate_aadhaar_max)}.`,
			channels: Object.entries(CHANNELS).map(([value, label]) => ({ value, label })),
			hasMandates: !mandates.isAbsent,
			mandates: mandates.data && {
				table: buildTable(mandatesReport, arrange(mandatesReport, mandates.data, view), view, url),
				search: mandates.data.length > 0 ? view.q : undefined,
				csv: addressWith(
					url,
					{ page: undefined, ref: undefined, cancel: undefined, form: undefined, amount: undefined },
					'/downloads/mandates/csv',
				),
				empty: view.q ? tellNoMatch(view.q) : 'You have no mandate. One that you create is listed here.',
			},
			mandatesFailure: mandates.failure,
			isAnother: mandates.data?.some(isCancellable) ?? false,
			back: back ? describeMandate(back) : receipt && describeReceipt(receipt),
			ending:
				ending && isCancellable(ending)
					? { ...describeEnding(ending), key: createIdempotencyKey(request, cancelForm(ending.reference), broker, headers).key }
					: undefined,
			file: findFile(url),
			typed: typed && (Object.fromEntries(typed) as MandateTyped),
		},
		{ headers },
	)
}

/** Returns the address of the mandate form to print, when the page was requested with one. */
function findFile(url: URL): string | undefined {
	const asked = url.searchParams.get('form')
	const amount = url.searchParams.get('amount')
	return asked && amount ? `/downloads/e-mandate?${new URLSearchParams({ amount, bank: asked }).toString()}` : undefined
}

export async function action({ request }: ActionFunctionArgs) {
	return await withFormRecovery(request, async (form, broker) => {
		if (form.get('intent') === 'cancel') return await cancel(request, broker, form)
		const submission = parseWithZod(form, { schema: mandateForm(await findFundLimits(broker, 'mandate')) })
		if (submission.status !== 'success') return invalid(submission)
		const { amount, bank: id, channel } = submission.value
		const banks = await lookUp(form, findBankDetails(broker))
		if (banks.failed) return banks.failed
		const bank = findChosenBank(banks.found, id)
		if (!bank) return data({ result: replyWith(submission, { fieldErrors: { bank: ['Select a bank account'] } }) }, { status: 400 })
		if (channel === 'physical') {
			const query = new URLSearchParams({ form: id, amount: formatPlainAmount(amount) })
			return redirect(`${PAGE}?${query.toString()}`, { status: 303 })
		}
		const done = await runIdempotent({ broker, name: FORM, form, submission }, (key) =>
			createOnlineEmandate(broker, mandateDetails(bank, amount, channel), key),
		)
		if ('again' in done) return done.again
		audit('mandate_started', request, broker.clientCode)
		const page = allowedAddress(broker, done.answer.url_data)
		if (!page) {
			const formErrors = ['We cannot open the mandate page because its address is not approved. Nothing has been registered.']
			return data({ result: replyWith(submission, { formErrors }) }, { status: 502, headers: done.headers })
		}
		const lines = [{ label: 'Mandate', value: `At most ${formatRupees(amount)} from ${formatBank(bank)}` }]
		return redirect(page, { status: 303, headers: await keepReceipt(broker.clientCode, { kind: 'mandate', ref: '', lines }, done.headers) })
	})
}

async function cancel(request: Request, broker: Broker, form: FormData) {
	const submission = parseWithZod(form, { schema: z.object({ reference: NameInAddress }) })
	if (submission.status !== 'success')
		return data({ result: replyWith(submission, { formErrors: ['Select a mandate from the list.'] }) }, { status: 400 })
	const { reference } = submission.value
	const done = await runIdempotent({ broker, name: cancelForm(reference), form, submission }, (key) =>
		cancelMandate(broker, reference, key),
	)
	if ('again' in done) return extendReply(done.again, { isEnding: true })
	audit('mandate_cancelled', request, broker.clientCode)
	const toast = { kind: 'success', message: 'Your mandate is cancelled.' } as const
	return await redirectWithToast(PAGE, toast, { headers: done.headers })
}

const MANDATES = 'Your mandates'

export const shouldRevalidate = loadAgain

export default function Emandate() {
	const page = useLoaderData<typeof loader>()
	const { banks: registered, noBank, banksFailure, limit, channels, typed, ending, back, file } = page
	const sent = useActionData<typeof action>()
	const isEnding = Boolean(sent && 'isEnding' in sent)
	const [form, fields] = useForm<MandateTyped>({
		id: 'e-mandate',
		lastResult: sent?.result,
		defaultValue: { bank: registered?.[0]?.value, channel: 'netbanking', ...typed },
	})
	const banks = bankOptions(registered, fields.bank.initialValue)
	const create = (
		<NewMandate
			{...{ form, fields, banks, banksFailure, noBank, limit, channels }}
			title={page.isAnother ? 'Another mandate' : undefined}
			action={PAGE}
			isListed={page.hasMandates}
			idempotencyKey={isEnding ? page.key : readIdempotencyKey(sent, page.key)}
		/>
	)
	const parts = [{ what: BANKS, failure: banksFailure }, ...(page.hasMandates ? [{ what: MANDATES, failure: page.mandatesFailure }] : [])]
	return (
		<>
			<PageTitle title="Funds" part="E-mandate" isTabName />
			<ErrorSummary form={form} fields={[fields.amount, fields.bank, fields.channel]} />
			{back && <Banner kind={back.kind}>{back.message}</Banner>}
			{file && <MandateFile file={file} />}
			{ending && <CancelMandate ending={ending} idempotencyKey={isEnding ? readIdempotencyKey(sent, ending.key) : ending.key} />}
			{typed && <RestoredFormNotice />}
			<FailedParts parts={parts} what="Your e-mandates" rest={<NothingMoved what="Your mandates and your money are" />}>
				{/* Before the form, so that nobody creates a second mandate by mistake. */}
				{page.isAnother && <Mandates />}
				{create}
				{page.hasMandates && !page.isAnother && <Mandates />}
			</FailedParts>
		</>
	)
}

type Page = ReturnType<typeof useLoaderData<typeof loader>>

function MandateFile({ file }: { file: NonNullable<Page['file']> }) {
	return (
		<>
			{/* A reply cannot be both a page and a file, so the page fetches the file, without a script. */}
			<meta httpEquiv="refresh" content={`0; url=${file}`} />
			<Banner kind="success">
				<p>
					Your mandate form is being downloaded. Print it, sign it as in your bank’s records, and post it to us. Your bank takes seven to
					ten working days.
				</p>
				<p>
					<DownloadLink href={file} label="Download the mandate form (PDF)" type="EMANDATE" flag="PDF" />
				</p>
			</Banner>
		</>
	)
}

function CancelMandate({ ending, idempotencyKey }: { ending: NonNullable<Page['ending']>; idempotencyKey: string }) {
	return (
		<AskFirst
			id="cancel"
			question="Cancel this mandate?"
			action={PAGE}
			fields={{ intent: 'cancel', reference: ending.reference }}
			idempotencyKey={idempotencyKey}
			label="Cancel mandate"
			keep={PAGE}
			reloadDocument
		>
			{ending.words}. Nothing more will be debited with it.
		</AskFirst>
	)
}

function Mandates() {
	const page = useLoaderData<typeof loader>()
	return (
		<Section title="Mandates">
			{page.mandates ? (
				<>
					{page.mandates.search !== undefined && (
						<ReportToolbar
							action={PAGE}
							search={offerSearch(page.mandates.search, page.mandates.table)}
							table={page.mandates.table}
							isBesideHeading
							files={<DownloadLink href={page.mandates.csv} label="CSV" type="MANDATES" flag="CSV" />}
						/>
					)}
					<ReportList table={page.mandates.table} isCards empty={{ text: page.mandates.empty }} />
				</>
			) : (
				<Failed what={MANDATES} failure={page.mandatesFailure} />
			)}
		</Section>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Funds" />
}
