import { useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { NameInAddress } from '#contract/common'
import { type Paise } from '#contract/values/money'
import { ClosureScope } from '#contract/closure'
import { unreadIn } from '#contract/tolerant'
import { type Broker } from '~/broker/client.server'
import { getClosureDetails, listClosureTasks, withdrawClosure } from '~/broker/closure.server'
import { getWithdrawableAmount } from '~/broker/ledger.server'
import { listClientLedgers } from '~/broker/profile.server'
import { Banner } from '~/components/banner'
import { FigureList } from '~/components/card'
import { Failed } from '~/components/failed'
import { FailedParts } from '~/components/failed-parts'
import { ErrorSummary, Field, type FieldState, RadioField, SelectField, SubmitButton } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { Section } from '~/components/section'
import { StepLine } from '~/components/step-line'
import { CLOSURE, forgetDraft, keepDraft, readDraft } from '~/forms/closure-draft.server'
import { invalid, openForm, replyWith, extendReply } from '~/forms/form.server'
import { readIdempotencyKey } from '~/forms/idempotency-key'
import { runIdempotent, createIdempotencyKey } from '~/forms/idempotency.server'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { tellUnread } from '~/reports/unread.server'
import { audit } from '~/session/audit.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { loadAgain } from '~/lib/load-again'
import { listSteps } from './change-steps'
import { ClosureStatus } from './closure-status'
import { listFigures, REASONS, describeClosure, listTasks, splitMoney, WITHDRAW } from './closure-tasks.server'
import { Tasks } from './closure-tasks'

export const handle = { title: 'Account closure', canRefresh: true }

const Answers = z.object({
	reason: z.enum(REASONS, 'Select a reason'),
	other: z.string().trim().max(200, 'Use 200 characters or fewer').optional(),
	close: z.enum(ClosureScope.options, 'Select what to close'),
	holdings: z.enum(['close', 'transfer'], 'Select what happens to your holdings'),
})

const HOLDINGS_LEFT = 'You still hold shares: sell them first, or select to transfer them'

const Withdrawal = z.object({ reference: NameInAddress })

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const fresh = readRefresh(request)
	const [details, told, draft] = await Promise.all([
		loadPart(broker, getClosureDetails(broker, fresh)),
		// A broker without a task list gives null: the blockers are then in its details.
		loadPart(broker, listClosureTasks(broker, fresh), null),
		readDraft(request, broker),
	])
	// The state of a request comes with the tasks. When they failed, the blockers alone are not enough.
	const listed = told.failure ? undefined : listTasks(details.data, told.data ?? undefined)
	const money = told.data?.tasks.find(({ kind, is_done }) => kind === 'CREDIT' && !is_done)
	const free = money && (await loadSidePart(broker, sumWithdrawable(broker)))
	const tasks = listed && splitMoney(listed, money?.amount, free?.data)
	const current = told.data?.request
	const { key, headers } = createIdempotencyKey(request, WITHDRAW, broker)
	const given = REASONS.find((reason) => reason === draft?.reason)
	const page = {
		figures: details.data && listFigures(details.data),
		figuresUnread: tellUnread(details.data && unreadIn(details.data)),
		figuresFailure: details.failure,
		tasks,
		tasksUnread: tellUnread(told.data ? unreadIn(told.data.tasks) : undefined),
		tasksFailure: tasks ? undefined : (told.failure ?? details.failure),
		// True when only the holdings are left to do: a transfer can move them.
		canClose:
			tasks !== undefined &&
			!(told.data && unreadIn(told.data.tasks)) &&
			!(details.data && unreadIn(details.data.blockers)) &&
			tasks.every(({ id, isDone }) => isDone || id === 'HOLDINGS'),
		hasHoldings: details.data && (details.data.total_holdings ?? 0) > 0,
		status: current && describeClosure(current),
		answers: draft && {
			reason: given ?? ('Other' as const),
			other: given ? '' : draft.reason,
			close: draft.clouser_for,
			holdings: draft.withTransfer ? ('transfer' as const) : ('close' as const),
		},
		reasons: REASONS,
		scopes: ClosureScope.options,
		key,
	}
	return data(page, { headers })
}

/** The sum in paise of what the withdrawal page offers: nothing of a ledger whose payout is under way. */
async function sumWithdrawable(broker: Broker): Promise<Paise> {
	const amounts = await Promise.all((await listClientLedgers(broker)).map((cocd) => getWithdrawableAmount(broker, cocd)))
	return amounts.reduce((sum, { balance, payouts_under_way = 0 }) => sum + (payouts_under_way > 0 ? 0 : balance), 0)
}

export async function action({ request }: ActionFunctionArgs) {
	const { form, broker } = await openForm(request)
	if (form.get('intent') === 'withdraw') return await withdraw(request, broker, form)
	const submission = parseWithZod(form, { schema: Answers })
	if (submission.status !== 'success') return invalid(submission)
	const { reason, other, close, holdings } = submission.value
	const withTransfer = holdings === 'transfer'
	if (!withTransfer && (await hasHoldingsNow(broker)))
		return data({ result: replyWith(submission, { fieldErrors: { holdings: [HOLDINGS_LEFT] } }) }, { status: 422 })
	const draft = { reason: reason === 'Other' && other ? other : reason, clouser_for: close, withTransfer }
	const headers = await keepDraft(broker, draft)
	return redirect(withTransfer ? '/myaccount/closure/transfer' : '/myaccount/closure/check', { status: 303, headers })
}

/** Returns false also when the broker does not answer: it checks again before the client signs. */
async function hasHoldingsNow(broker: Broker): Promise<boolean> {
	const { data: details } = await loadSidePart(broker, getClosureDetails(broker))
	return (details?.total_holdings ?? 0) > 0
}

async function withdraw(request: Request, broker: Broker, form: FormData) {
	const submission = parseWithZod(form, { schema: Withdrawal })
	if (submission.status !== 'success') return data({ isWithdrawal: true, result: replyWith(submission) }, { status: 400 })
	const { reference } = submission.value
	const done = await runIdempotent({ broker, name: WITHDRAW, form, submission }, (idempotencyKey) =>
		withdrawClosure(broker, { reference, idempotencyKey }),
	)
	if ('again' in done) return extendReply(done.again, { isWithdrawal: true })
	audit('closure_withdrawn', request, broker.clientCode)
	const toast = { kind: 'success', message: 'Your closure request is withdrawn. Your account stays open.' } as const
	return await redirectWithToast(CLOSURE, toast, { headers: forgetDraft(done.headers) })
}

/** What ends with each choice. */
const ENDS: Record<ClosureScope, string> = {
	Trading: 'You can no longer trade here',
	Demat: 'You can no longer hold shares here',
	'Trading and Demat': 'You can no longer trade or hold shares here',
}

const FIGURES = 'Your account’s figures'
const TASKS = 'What has to be done first'

export const shouldRevalidate = loadAgain

export default function Closure() {
	const { figures, figuresUnread, figuresFailure, tasks, tasksUnread, tasksFailure, canClose, hasHoldings, status, answers, key } =
		useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	const isWithdrawal = Boolean(sent && 'isWithdrawal' in sent)
	const [form, fields] = useForm<z.input<typeof Answers>>({
		id: 'closure',
		lastResult: isWithdrawal ? undefined : sent?.result,
		defaultValue: { holdings: hasHoldings === undefined ? undefined : hasHoldings ? 'transfer' : 'close', ...answers },
	})
	const isUnderWay = status?.status === 'CLOSING' || status?.status === 'CLOSED'
	const parts = [{ what: FIGURES, failure: figuresFailure }, ...(isUnderWay ? [] : [{ what: TASKS, failure: tasksFailure }])]
	return (
		<>
			<PageTitle title="Account closure" />
			{isWithdrawal ? (
				<ErrorSummary form={{ errors: sent.result.error?.[''] ?? ['The request could not be withdrawn.'] }} />
			) : (
				<ErrorSummary form={form} fields={[fields.reason, fields.other, fields.close, fields.holdings]} />
			)}
			{status && <ClosureStatus {...status} idempotencyKey={readIdempotencyKey(isWithdrawal ? sent : undefined, key)} />}
			<FailedParts parts={parts} what="The steps before closing" rest={null}>
				<div className="grid gap-x-4 lg:grid-cols-[3fr_2fr]">
					<div>
						{!isUnderWay && (
							<>
								<Section title="Before you close">
									{tasks ? (
										<>
											{tasksUnread && <Banner kind="warning">{tasksUnread}</Banner>}
											<Tasks tasks={tasks} isWhole={!tasksUnread} canClose={canClose} />
											<p className="text-xs">
												You cannot log in any more once the account is closed: <a href="/reports/downloads">download your year packs</a>{' '}
												first.
											</p>
										</>
									) : (
										<Failed what={TASKS} failure={tasksFailure} />
									)}
								</Section>
								{/* While something is left to do, the list above says so. */}
								{(canClose || !tasks) && (
									<Section title="Close your account">
										{status && <p className="prose">You are asked before a new request replaces the one above.</p>}
										{canClose ? (
											<>
												<p className="text-muted mb-4 text-xs">
													<StepLine step={1} {...listSteps(fields.holdings.initialValue === 'transfer' ? 'transfer' : 'closure')} />
												</p>
												<ClosureForm id={form.id} fields={fields} />
											</>
										) : (
											<p>You can ask for the closure here once that can be loaded.</p>
										)}
									</Section>
								)}
							</>
						)}
					</div>
					<div>
						<Section title="Your account today">
							{figuresUnread && <Banner kind="warning">{figuresUnread}</Banner>}
							{figures ? <FigureList rows={figures} /> : <Failed what={FIGURES} failure={figuresFailure} />}
						</Section>
					</div>
				</div>
			</FailedParts>
		</>
	)
}

type Fields = Record<keyof z.input<typeof Answers>, FieldState>

function ClosureForm({ id, fields }: { id: string; fields: Fields }) {
	const { reasons, scopes } = useLoaderData<typeof loader>()
	return (
		<PostForm id={id} noValidate>
			<SelectField
				field={fields.reason}
				label="Reason"
				width={24}
				options={[{ value: '', label: 'Select a reason' }, ...reasons.map((reason) => ({ value: reason, label: reason }))]}
			/>
			<div className="in-[form:not(:has([value=Other]:checked))]:hidden">
				<Field field={fields.other} label="In your words" help="Only if you chose Other; at most 200 characters." maxLength={200} />
			</div>
			<RadioField field={fields.close} label="Close" options={scopes.map((scope) => ({ value: scope, label: scope, help: ENDS[scope] }))} />
			<RadioField
				field={fields.holdings}
				label="Holdings"
				options={[
					{ value: 'close', label: 'Close the account', help: 'For an account without holdings' },
					{
						value: 'transfer',
						label: 'Close and transfer holdings',
						help: 'The units move to your account elsewhere; purchase dates and costs do not',
					},
				]}
			/>
			<SubmitButton>Continue</SubmitButton>
		</PostForm>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Account closure" />
}
