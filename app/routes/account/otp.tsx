import { randomUUID } from 'node:crypto'
import { type Submission } from '@conform-to/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { type ShouldRevalidateFunctionArgs, useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { type PennyDrop, ProofType } from '#contract/modifications'
import { type Broker, BrokerRefusal } from '~/broker/client.server'
import { getPennyDrop } from '~/broker/modifications.server'
import { OtpStep } from '~/components/otp-form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { SummaryList } from '~/components/summary-list'
import { redirectToConfirm } from '~/forms/esign-confirm.server'
import { unanswered, replyWith } from '~/forms/form.server'
import { deriveKey } from '~/forms/idempotency.server'
import { readIdempotencyKey } from '~/forms/idempotency-key'
import { answerOtp, describeStep, isCounted, leaveOtp, type OtpJourney, type OtpReply } from '~/forms/otp-step.server'
import { clearPending } from '~/forms/pending-otp.server'
import { type Uploads, withUploads } from '~/forms/uploads.server'
import { OtpTyped } from '~/forms/typed-fields.server'
import { loadSidePart } from '~/http/partial-data.server'
import { hasPendingFile, savePendingFile } from '~/http/pending-file.server'
import { publishChange } from '~/session/changed-sessions.server'
import { connectSession, requireSession, type Session } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { requireChange } from './change-definitions.server'
import { type Change, type Line, type Outcome, type ChangeStep } from './change-journey.server'
import { DeclarationPage } from './declaration-page'
import { keepsDeclaration } from './declaration.server'
import { IncomeProof } from './income-proof'
import { INVALID_MICR, MicrTyped } from './micr.server'
import { findFormTitle } from './change-steps'
import { StepCard } from './step-card'

export const handle = { title: (loaded?: { title?: string }) => loaded?.title ?? 'OTP' }

/** Only a change of income returns a file. */
const FILE_LOST = 'Income updated. We did not receive your signed declaration: ask your broker for it.'

/** The second step. Only the first step leads here, because it stores a pending step. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const change = requireChange(params.change)
	const broker = connectSession(request, await requireSession(request))
	const step = await change.open(request, broker)
	if (!step) throw redirect(change.path)
	const drop = change.kind === 'bank' ? (await loadSidePart(broker, getPennyDrop(broker))).data : undefined
	return {
		change: change.kind,
		title: change.title,
		path: change.path,
		lines: drop ? addDrop(step.lines, drop) : step.lines,
		form: {
			...describeStep(step),
			needsMicr: step.needsMicr,
			proof: step.proofs.length > 0 ? describeProof(change, step) : undefined,
		},
		key: randomUUID(),
	}
}

function describeProof({ kind }: Pick<Change, 'kind'>, { hasProofType, proofs, proofWhy }: ChangeStep) {
	// A bank that does not know the account is a warning. The other proofs are only a rule.
	return { types: hasProofType ? ProofType.options : [], files: proofs, why: proofWhy, isWarned: kind === 'bank' }
}

/** Adds what the bank said about the account: its branch, and the name of its holder beside the name that we know. */
function addDrop(lines: readonly Line[], { bank_name, branch, name_at_bank, name_here }: PennyDrop): Line[] {
	const note = name_at_bank === name_here ? 'The same name as in your account with us' : `Your account with us has the name ${name_here}`
	return [
		...lines.map((line) => {
			const { label, value, note: type } = line
			return label === 'Bank'
				? { label, value: bank_name, note: [branch, type, value.replace(' ', '\u00A0')].filter(Boolean).join(', ') }
				: line
		}),
		{ label: 'Name at your bank', value: name_at_bank ?? 'Not confirmed', note },
	]
}

export async function action({ request, params }: ActionFunctionArgs) {
	const change = requireChange(params.change)
	const session = await requireSession(request)
	const broker = connectSession(request, session)
	const step = await change.open(request, broker)
	const rules = Object.fromEntries((step?.proofs ?? []).map(({ name, required }) => [name, { required }]))
	const journey: OtpJourney = {
		kind: change.kind,
		start: change.path,
		here: `${change.path}/otp`,
		outOfDate: { kind: 'warning', message: 'This OTP request is no longer valid. Nothing was changed by it.' },
		doneBy: session.clientCode,
	}

	const answer = async (form: FormData, uploads: Uploads) => {
		const left = await leaveOtp(request, form, journey, step?.id)
		if (left || !step) return left ?? redirect(change.path, 303)
		return await answerOtp(
			request,
			form,
			{
				...journey,
				client: session.clientCode,
				Value: answersTo(step),
				post: ({ idempotency_key }) => idempotency_key,
				verify: ({ otp, micr_code, file_type, idempotency_key }) =>
					step.verify({
						otp,
						micr: micr_code,
						proofType: file_type,
						idempotencyKey: deriveKey(idempotency_key, [otp, micr_code, file_type]),
						files: uploads.files(),
					}),
				leave: (outcome) => leaveWith(outcome, { change, step, session, broker }),
				resend: step.resend,
				resendAt: step.resendAt,
				isWrongCode: (error) => isCounted(error) && !needsMicr(error),
				keep: step.keep,
				answerFailure: (submission, error) => answerOwnRefusal(step, submission, error),
				answerFailedResend: unanswered,
			},
			uploads,
		)
	}
	return await withUploads(request, broker.clientCode, rules, answer, (form) => !step || form.get('step') !== step.id)
}

/** Ends the step: something to sign, a file to download, or nothing more to do. */
async function leaveWith(
	outcome: Outcome,
	at: { change: Pick<Change, 'kind' | 'what' | 'path'>; step: ChangeStep; session: Session; broker: Broker },
): Promise<Response | ReturnType<typeof data<OtpReply>>> {
	const { change, step, session, broker } = at
	await publishChange(session.id)
	const headers = clearPending(change.kind)
	if ('esign' in outcome) {
		const signing = { response: outcome.esign, title: change.what, lines: step.lines, back: change.path }
		return await redirectToConfirm(broker, signing, headers)
	}
	const done = `${change.path}?done=1`
	if ('message' in outcome) return await redirectWithToast(done, { kind: 'success', message: outcome.message }, { headers })
	const file = await savePendingFile(session.id, change.kind, outcome.pdf)
	if ((!file && (await hasPendingFile(session.id, change.kind))) || (await keepsDeclaration(broker)))
		return redirect(done, { status: 303, headers })
	if (!file) return await redirectWithToast(done, { kind: 'warning', message: FILE_LOST }, { headers })
	const name = `${broker.clientCode}_${change.kind.toUpperCase()}.pdf`
	return data({ file: { name, base64: file.toString('base64') } }, { headers })
}

/**
 * A reply with a file, or with the reason why no code can complete the change, is the last page of the change. The step is gone, so its
 * loader would redirect away from the page.
 */
export function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
	const isLast = typeof actionResult === 'object' && actionResult !== null && ('file' in actionResult || 'isOver' in actionResult)
	return isLast ? false : defaultShouldRevalidate
}

/** Returns the schema of the fields that this step requires. */
function answersTo({ needsMicr, hasProofType }: ChangeStep) {
	return z.object({
		otp: OtpTyped,
		micr_code: needsMicr ? MicrTyped : z.undefined().optional(),
		file_type: hasProofType ? z.enum(ProofType.options, 'Select the type of proof') : z.undefined().optional(),
		idempotency_key: z.uuid(),
	})
}

const needsMicr = (error: unknown) => error instanceof BrokerRefusal && error.message === INVALID_MICR

/** Asks for the MICR code when the broker needs it. */
async function answerOwnRefusal(step: ChangeStep, submission: Submission<unknown>, error: unknown) {
	if (!needsMicr(error)) return undefined
	const result = replyWith(submission, { fieldErrors: { micr_code: [INVALID_MICR] } })
	return data({ result, needsMicr: true as const, key: randomUUID() }, { status: 422, headers: await step.keep({ needsMicr: true }) })
}

export default function ChangeOtp() {
	const { change, title, path, lines, form, key } = useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	if (sent?.file) return <DeclarationPage title={title} file={sent.file} back={path} />
	const step = (
		<OtpStep
			{...form}
			start={path}
			needsMicr={form.needsMicr || sent?.needsMicr}
			idempotencyKey={readIdempotencyKey(sent, key)}
			result={sent?.result}
			isOver={sent?.isOver}
			proof={form.proof && { ...form.proof, papers: change !== 'bank' && <IncomeProof isBesideField /> }}
		>
			<SummaryList items={lines} />
		</OtpStep>
	)
	return (
		<>
			<PageTitle title={title} />
			{sent?.isOver ? (
				step
			) : (
				<StepCard change={change} step={2} title={findFormTitle(change)}>
					{step}
				</StepCard>
			)}
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="OTP" />
}
