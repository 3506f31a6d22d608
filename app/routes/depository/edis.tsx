import { type SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { Outlet, useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { type Broker } from '~/broker/client.server'
import { getEdisHoldings, listStockVerifications, requestStockVerification } from '~/broker/depository.server'
import { Banner } from '~/components/banner'
import { Failed, NothingMoved } from '~/components/failed'
import { FailedParts } from '~/components/failed-parts'
import { ErrorSummary } from '~/components/form'
import { findTypedValues, KeptForm, listQuantities } from '~/components/kept-form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { RESTORED } from '~/components/restored-form-notice'
import { useLive } from '~/components/use-live'
import { takeRecoveredForm, withFormRecovery } from '~/forms/form-recovery.server'
import { invalid, lookUp, unanswered } from '~/forms/form.server'
import { sendOtp } from '~/forms/otp-sends.server'
import { commitPending, createPendingOtp } from '~/forms/pending-otp.server'
import { ROW_FIELDS } from '~/forms/quantity-fields.server'
import { loadSidePart } from '~/http/partial-data.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { loadAgain } from '~/lib/load-again'
import { createEdisForm, createPending, formatFilledQuery, RESEND_S } from './edis-form.server'
import { loadEdisPage } from './edis-page.server'
import { HoldingsErrors, HoldingsForm, Sold } from './holdings-form'
import { ListSection } from './list-section'
import { readFormView } from './table-entries.server'

export const handle = { title: 'DP Process' }
const VERIFY = '/dpprocess'

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const { typed, headers } = await takeRecoveredForm(request, broker.clientCode)
	if (typed) {
		const { data: holdings = [] } = await loadSidePart(broker, getEdisHoldings(broker))
		return await redirectWithToast(
			`${VERIFY}?${formatFilledQuery(typed, holdings)}#verify`,
			{ kind: 'info', message: RESTORED },
			{ headers },
		)
	}
	const page = await loadEdisPage(broker, request)
	return data(page, { status: page.failure?.status ?? 200 })
}

/** Requests the code. The code verifies what was requested here, whatever a later form contains. */
export async function action({ request }: ActionFunctionArgs) {
	return await withFormRecovery(request, (form, broker) => requestCode(request, broker, form), { rows: ROW_FIELDS })
}

async function requestCode(request: Request, broker: Broker, form: FormData) {
	const [looked, told] = await Promise.all([lookUp(form, getEdisHoldings(broker)), loadSidePart(broker, listStockVerifications(broker))])
	if (looked.failed) return looked.failed
	const holdings = looked.found
	if (form.has('sort') || form.get('intent') === 'show') {
		const query = formatFilledQuery(form, holdings)
		for (const [name, value] of Object.entries(readFormView(form))) query.set(name, value)
		return redirect(`${VERIFY}?${query}#verify`, { status: 303 })
	}
	const submission = parseWithZod(form, { schema: createEdisForm(holdings, told.data) })
	if (submission.status !== 'success') return invalid(submission)
	try {
		const sent = await sendOtp(request, broker.clientCode, 'edis', () => requestStockVerification(broker, submission.value))
		const value = createPending(submission.value, holdings, sent.expires_in)
		const headers = await commitPending(createPendingOtp('edis', broker.clientCode, value, { ...sent, resend_in: RESEND_S }))
		return await redirectWithToast('/dpprocess/otp', { kind: 'info', message: 'Otp Sent Successfully' }, { headers })
	} catch (error) {
		return await unanswered(submission, error)
	}
}

const HOLDINGS = 'Your holdings'
const VERIFIED = 'Your verified shares'

export const shouldRevalidate = loadAgain

export default function Edis() {
	const page = useLoaderData<typeof loader>()
	const { failure, isEmpty, q, verified, hasVerified, verifiedFailure, needsNone, otpNote, round, files } = page
	const sent = useActionData<typeof action>()
	const kept = failure || isEmpty ? findTypedValues(sent) : undefined
	const errors: Record<string, string[] | null> = sent?.result.error ?? {}
	const again = (
		<>
			<ErrorSummary form={{ errors: Object.values(errors).flatMap((messages) => messages ?? []) }} />
			{kept ? (
				<KeptForm action={VERIFY} kept={kept} label="Verify" lines={listQuantities(kept)} />
			) : (
				failure && <NothingMoved what="Your shares are" still="If you sold shares, they must still be verified in time." />
			)}
		</>
	)
	const form = { page, result: sent?.result as SubmissionResult<string[]> | undefined }
	const isOtp = useLocation().pathname === '/dpprocess/otp'
	const isLive = useLive()
	return (
		<>
			<PageTitle title="DP Process" part="Stock verification" isTabName />
			<Outlet />
			{/* The page behind the dialog of a script; without a script the code has its own page. */}
			{(!isOtp || isLive) && (
				<>
					{!failure && !kept && <HoldingsErrors {...form} />}
					{needsNone && (
						<Banner kind="info">
							You do not need this: DDPI is active. Sold shares are delivered without an OTP. <a href="/dpprocess/ddpi">See your DDPI</a>
						</Banner>
					)}
					{page.canVerify && !kept && <Sold sold={page.sold} />}
					{otpNote && <p className="prose max-sm:mb-2 max-sm:text-sm">{otpNote}</p>}
					<FailedParts
						what={HOLDINGS}
						parts={[{ what: HOLDINGS, failure }, ...(hasVerified ? [{ what: VERIFIED, failure: verifiedFailure }] : [])]}
						rest={again}
					>
						{failure || kept ? (
							<>
								{failure && <Failed what={HOLDINGS} failure={failure} isPage />}
								{again}
							</>
						) : (
							<HoldingsForm key={round} {...form} />
						)}
						{hasVerified && (
							<ListSection
								title="Verified"
								what={VERIFIED}
								list={verified}
								failure={verifiedFailure}
								file={{ href: files.verified, label: 'CSV', type: 'VERIFIED' }}
								q={q}
								none="Nothing is verified at the moment."
							/>
						)}
					</FailedParts>
				</>
			)}
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="DP Process" />
}
