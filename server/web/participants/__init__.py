"""Pages of participants: from a recruiter's link to a seat, and out again with an ending."""
