export type Tone = 'gain' | 'loss'

/** The colour of a gain or loss; its sign says it too. */
export const TONES: Record<Tone, string> = { gain: 'text-gain', loss: 'text-loss' }
