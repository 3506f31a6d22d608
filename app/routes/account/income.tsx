import { useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { IncomeSlab } from '#contract/modifications'
import { listChangeRequests } from '~/broker/modifications.server'
import { getPersonalDetails } from '~/broker/profile.server'
import { Banner } from '~/components/banner'
import { DownloadLink } from '~/components/download-link'
import { Failed } from '~/components/failed'
import { ErrorSummary, RadioField, SubmitButton } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { RestoredFormNotice, WaitingOtpNotice } from '~/components/restored-form-notice'
import { SummaryList } from '~/components/summary-list'
import { withFormRecovery, takeRecoveredForm } from '~/forms/form-recovery.server'
import { invalid, unanswered } from '~/forms/form.server'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadSidePart } from '~/http/partial-data.server'
import { hasPendingFile } from '~/http/pending-file.server'
import { formatSlab } from '~/lib/income-slab'
import { connectSession, requireSession } from '~/session/session.server'
import { incomeChange } from './change-definitions.server'
import { findDeclaration } from './declaration.server'
import { StepCard } from './step-card'
import { IncomeProof } from './income-proof'

export const handle = { title: 'Income', canRefresh: true }

const Income = z.object({ income: z.enum(IncomeSlab.options, 'Select your annual income') })

export async function loader({ request }: LoaderFunctionArgs) {
	const session = await requireSession(request)
	const broker = connectSession(request, session)
	// `?done` in the address proves nothing: the portal or the broker must have the declaration.
	const isDone =
		new URL(request.url).searchParams.has('done') &&
		((await hasPendingFile(session.id, 'income')) ||
			findDeclaration((await loadSidePart(broker, listChangeRequests(broker))).data ?? []) !== undefined)
	const [profile, { typed, headers }, pending] = await Promise.all([
		loadSidePart(broker, getPersonalDetails(broker, readRefresh(request))),
		takeRecoveredForm(request, broker.clientCode),
		incomeChange.findPending(request, broker),
	])
	const recovered = typed?.get('income')?.toString()
	return data(
		{
			isDone,
			now: profile.data?.personal_details.annual_income,
			failure: profile.failure,
			slabs: IncomeSlab.options,
			typed: recovered ?? pending?.income,
			isRecovered: recovered !== undefined,
			otpAt: pending && recovered === undefined ? `${incomeChange.path}/otp` : undefined,
		},
		{ headers },
	)
}

export async function action({ request }: ActionFunctionArgs) {
	return await withFormRecovery(request, async (form, broker) => {
		const submission = parseWithZod(form, { schema: Income })
		if (submission.status !== 'success') return invalid(submission)
		return await incomeChange.start(request, broker, submission.value).catch((error: unknown) => unanswered(submission, error))
	})
}

const FILE = '/downloads/income'

export default function IncomePage() {
	const { isDone, now, failure, slabs, typed, isRecovered, otpAt } = useLoaderData<typeof loader>()
	const [form, fields] = useForm<z.input<typeof Income>>({
		id: 'income',
		lastResult: useActionData<typeof action>()?.result,
		defaultValue: { income: slabs.find((slab) => slab === typed) },
	})
	return (
		<>
			<PageTitle title="Income" />
			{isDone && (
				<>
					{/* A reply cannot be both a page and a file, so the page fetches the file, without a script. */}
					<meta httpEquiv="refresh" content={`0; url=${FILE}`} />
					<Banner kind="success">
						<p>Income updated. Your signed declaration is being downloaded; it is usually reviewed within 3 working days.</p>
						<p>
							<DownloadLink href={FILE} label="Download your signed declaration (PDF)" type="INCOME" flag="PDF" />
						</p>
					</Banner>
				</>
			)}
			{failure && <Failed what="Your current annual income" failure={failure} />}
			{isRecovered && <RestoredFormNotice />}
			{otpAt && <WaitingOtpNotice href={otpAt} />}
			<ErrorSummary form={form} fields={[fields.income]} />
			<StepCard step={1} change="income">
				{now && <SummaryList items={[{ label: 'Current annual income', value: formatSlab(now) }]} />}
				<PostForm id={form.id} action="/myaccount/income" noValidate>
					<RadioField
						field={fields.income}
						label="Annual income"
						options={slabs.map((slab) => ({
							value: slab,
							label: formatSlab(slab),
						}))}
					/>
					<IncomeProof />
					<p className="text-sm">We send an OTP to your mobile number. The next step asks for it and for proof of income.</p>
					<div className="actions">
						<SubmitButton>Send OTP</SubmitButton>
					</div>
				</PostForm>
			</StepCard>
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Income" />
}
