/** What the contact stage keeps of a body from step to step. */
export class ContactState {
  /** How far its particles moved in this step before anything stopped them (m). */
  stride = 0;
  /** Energy that it lost by contact with others and may win back (J), and the world's frame at which that was counted. */
  spareEnergy = 0;
  spareSince = -1;
  /** The same for contact with itself. */
  selfSpare = 0;
  selfSince = -1;
}
