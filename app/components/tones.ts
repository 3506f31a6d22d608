import { type Tone } from '~/lib/table'

/** The colour of a gain or loss, and of a zero that should step back. The sign of the amount shows it too. */
export const TONES: Record<Tone, string> = { gain: 'text-gain', loss: 'text-loss', zero: 'text-muted' }

/** True for the text of an amount or quantity of zero, which steps back as well. */
export const isZero = (figure: string) => /^(₹ )?0(\.0+)?$/.test(figure)
