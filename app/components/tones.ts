export type Tone = 'gain' | 'loss'

/** The colour of a gain or loss. The sign of the amount shows it too. */
export const TONES: Record<Tone, string> = { gain: 'text-gain', loss: 'text-loss' }
