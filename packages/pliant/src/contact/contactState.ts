/** State of a body that the contact stage keeps from step to step. */
export class ContactState {
  /** Root mean square displacement of the particles in this step, before contact (m). */
  stride = 0;
  /** Energy that contact with others removed and may give back (J), and the substep in which it was counted. */
  spareEnergy = 0;
  spareSince = -1;
  /** The same for contact with itself. */
  selfSpare = 0;
  selfSince = -1;
}
