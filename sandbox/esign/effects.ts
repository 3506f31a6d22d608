import { applyClosure, checkClosure } from '#sandbox/closure/requests'
import { applyDdpi } from '#sandbox/depository/ddpi'
import { type SandboxParts } from '#sandbox/env'
import { applyBank } from '#sandbox/modifications/bank'
import { applyEmail, applyMobile } from '#sandbox/modifications/contact'
import { applyNominees } from '#sandbox/modifications/nominee'
import { applySegment } from '#sandbox/modifications/segment'
import { applyActivation, checkActivation } from '#sandbox/mtf/activation'
import { type Effect, type Esign, type EsignKind } from './esign'

/** What happens when a request is signed: one line a kind. */
const effects: Record<EsignKind, Effect> = {
	MOBILE: applyMobile,
	EMAIL: applyEmail,
	BANK: applyBank,
	SEGMENTS: applySegment,
	NOMINEE: applyNominees,
	CLOSURE: applyClosure,
	DDPI: applyDdpi,
	MTF: applyActivation,
}

/** What must still be so when it is signed; throws the broker's refusal, which the client reads as the reason of the failure. */
const checks: Partial<Record<EsignKind, (parts: SandboxParts, esign: Esign) => Promise<void>>> = {
	CLOSURE: checkClosure,
	MTF: checkActivation,
}

export function effectOf(kind: EsignKind): Effect {
	return effects[kind]
}

export async function checkBeforeSigning(parts: SandboxParts, esign: Esign): Promise<void> {
	await checks[esign.kind]?.(parts, esign)
}
