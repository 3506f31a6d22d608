import { randomUUID } from 'node:crypto'
import { type Submission } from '@conform-to/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { unreadIn } from '#contract/tolerant'
import { type Broker, BrokerRefusal, readFailure } from '~/broker/client.server'
import { resendStockVerificationOtp, verifyStockVerificationOtp } from '~/broker/depository.server'
import { OtpStep } from '~/components/otp-form'
import { PageDialog } from '~/components/page-dialog'
import { PageProblem } from '~/components/page-problem'
import { SummaryList } from '~/components/summary-list'
import { formatSentence, openForm, quoteBroker, refusal, createRefusalInit, replyWith } from '~/forms/form.server'
import { deriveKey } from '~/forms/idempotency.server'
import { readIdempotencyKey } from '~/forms/idempotency-key'
import { answerOtp, describeStep, type Ending, isCounted, isDead, leaveOtp, type OtpJourney, withStartAgain } from '~/forms/otp-step.server'
import { clearPending, commitPending, type Pending, readPending, renewPendingOtp } from '~/forms/pending-otp.server'
import { OtpTyped } from '~/forms/typed-fields.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast, type Toast } from '~/session/toast.server'
import { describePending, PendingEdis, RESEND_S } from './edis-form.server'

export const handle = { title: 'DP Process' }
const BACK = '/dpprocess'
const JOURNEY: OtpJourney = {
	kind: 'edis',
	start: BACK,
	here: '/dpprocess/otp',
	outOfDate: { kind: 'warning', message: 'This OTP request is no longer valid. Nothing was verified by it.' },
}

const Typed = z.object({ otp: OtpTyped, idempotency_key: z.uuid() })

export async function loader({ request }: LoaderFunctionArgs) {
	const { clientCode } = await requireBroker(request)
	const step = await readPending(request, 'edis', clientCode, PendingEdis)
	if (!step) throw redirect(BACK)
	const { lines, type, day, more } = step.value
	return {
		lines: [
			...lines.map((line) => ({ label: line.name, value: describePending(line), note: line.note })),
			...(more > 0 ? [{ label: 'And', value: `${more} more` }] : []),
			...(type ? [{ label: 'Trade type', value: type === 'PRE' ? 'Pre' : day ? `Post: after a sale on ${day}` : 'Post' }] : []),
		],
		form: describeStep(step),
		key: randomUUID(),
	}
}

export async function action({ request }: ActionFunctionArgs) {
	const { form, broker } = await openForm(request)
	const step = await readPending(request, 'edis', broker.clientCode, PendingEdis)
	const requestId = step?.requestId
	const journey = { ...JOURNEY, doneBy: broker.clientCode }
	const left = await leaveOtp(request, form, journey, requestId && step?.id)
	if (left || !step || !requestId) return left ?? redirect(BACK, 303)
	return await answerOtp(request, form, {
		...journey,
		client: broker.clientCode,
		Value: Typed,
		post: ({ idempotency_key }) => idempotency_key,
		verify: ({ otp, idempotency_key }) => verifyStockVerificationOtp(broker, requestId, otp, deriveKey(idempotency_key, [otp])),
		leave: leaveWith,
		resend: () => resend(broker, requestId, step, step.value.expiresIn),
		isWrongCode: (error) => isCounted(error) || isSpent(error),
		findEnding,
		keep: (known) => commitPending({ ...step, ...known }),
		answerFailure: (submission, error) => answerHaste(step, submission, error),
		answerFailedResend: (submission, error) => answerFailedResend(step, submission, error),
	})
}

async function leaveWith(results: readonly Result[]): Promise<Response> {
	return await redirectWithToast(BACK, describeOutcome(results), { headers: clearPending('edis') })
}

type Result = { status: string }

function describeOutcome(results: readonly Result[]): Toast {
	const isKnown = results.every(({ status }) => status === 'SUCCESS' || status === 'FAILED')
	if (results.length === 0 || unreadIn(results) || !isKnown) {
		const message = 'The broker took the OTP, but its reply does not say what is verified. See what is verified below.'
		return { kind: 'warning', message }
	}
	const failed = results.filter(({ status }) => status === 'FAILED').length
	if (failed === 0) return { kind: 'success', message: 'Stocks verified successfully' }
	const message = `${failed} of ${results.length} could not be verified: those units are not free any more. See what is verified below.`
	return { kind: 'warning', message }
}

async function resend(broker: Broker, requestId: string, step: Pending, expiresIn: number | undefined): Promise<Headers> {
	const message = await resendStockVerificationOtp(broker, requestId)
	return await commitPending(renewPendingOtp(step, { message, expires_in: expiresIn, resend_in: RESEND_S }))
}

/** True when the request is expired, used or unknown: no code can complete it. */
function isSpent(error: unknown): error is BrokerRefusal {
	return error instanceof BrokerRefusal && (error.status === 410 || error.status === 404)
}

async function findEnding(error: unknown): Promise<Ending | undefined> {
	if (isDead(error)) return { message: withStartAgain(error.message), status: 429 }
	// A code whose reply was lost may have been used.
	if (isSpent(error))
		return { message: `${formatSentence(error.message)} Perhaps it was used already. See what is verified, or start again.`, status: 422 }
	const failure = await readFailure(error)
	if (failure?.status !== 404) return undefined
	const said = failure.isAnswer ? formatSentence(failure.message) : 'The broker does not know this request any more.'
	return { message: `${said} Start again.`, status: 422 }
}

/** Answers a request that came too soon: the page then shows when the client may try again. After the last resend, no wait helps. */
async function answerHaste(step: Pending, submission: Submission<unknown>, error: unknown) {
	if (!(error instanceof BrokerRefusal) || error.status !== 429 || isDead(error)) return undefined
	const { headers: wait = {} } = createRefusalInit(error)
	const headers = await commitPending({ ...step, resendAt: Date.now() + Number(wait['retry-after']) * 1000 })
	for (const [name, value] of Object.entries(wait)) headers.set(name, value)
	return data({ result: refusal(submission, error), key: randomUUID() }, { status: 429, headers })
}

async function answerFailedResend(step: Pending, submission: Submission<unknown>, error: unknown) {
	const haste = await answerHaste(step, submission, error)
	if (haste) return haste
	if (error instanceof BrokerRefusal) return data({ result: refusal(submission, error), key: randomUUID() }, createRefusalInit(error))
	const failure = await readFailure(error)
	if (!failure) throw error
	const result = replyWith(submission, { formErrors: [`${quoteBroker(failure)} Another OTP may be on its way.`] })
	return data({ result, key: randomUUID() }, { status: failure.status })
}

export default function EdisOtp() {
	const { lines, form, key } = useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	return (
		<PageDialog title="Verify with the OTP" from={BACK}>
			<OtpStep {...form} start={BACK} idempotencyKey={readIdempotencyKey(sent, key)} result={sent?.result} isOver={sent?.isOver}>
				<SummaryList items={lines} />
			</OtpStep>
		</PageDialog>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="DP Process" />
}
