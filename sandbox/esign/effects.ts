import { applyClosure, checkClosure } from '#sandbox/closure/requests'
import { applyDdpi } from '#sandbox/depository/ddpi'
import { applyBank } from '#sandbox/modifications/bank'
import { applyEmail, applyMobile } from '#sandbox/modifications/contact'
import { applyNominees } from '#sandbox/modifications/nominee'
import { applySegment } from '#sandbox/modifications/segment'
import { applyActivation, checkActivation } from '#sandbox/mtf/activation'
import { type Consequence, type EsignKind } from './esign'

/** The effect of a signature, one line per kind. When a check refuses, the client sees its message as the reason of the failure. */
const consequences: Record<EsignKind, Consequence> = {
	MOBILE: { apply: applyMobile },
	EMAIL: { apply: applyEmail },
	BANK: { apply: applyBank },
	SEGMENTS: { apply: applySegment },
	NOMINEE: { apply: applyNominees },
	CLOSURE: { apply: applyClosure, check: checkClosure },
	DDPI: { apply: applyDdpi },
	MTF: { apply: applyActivation, check: checkActivation },
}

export function findConsequence(kind: EsignKind): Consequence {
	return consequences[kind]
}
